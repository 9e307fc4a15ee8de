/// Keeps the members of a message apart that differ in the .proto file but not in camel case, such as
/// `foo_bar` and `fooBar`.
enum MemberNames {
  /// Adds the number to the name of each field, and of each oneof, whose Swift name is taken.
  static func makeUnique(fields: inout [FieldDescriptor], oneofs: inout [String]) {
    var taken: Set<String> = []
    func unique(_ name: String, _ number: Int) -> String {
      var name = name
      while !taken.insert(SwiftNaming.upperCamelCase(name)).inserted { name += "_\(number)" }
      return name
    }
    for index in fields.indices {
      fields[index].baseName = unique(fields[index].baseName, fields[index].number)
    }
    for index in oneofs.indices {
      // The oneofs that protoc makes for proto3's `optional` are no members.
      guard fields.contains(where: { $0.oneofIndex == index }) else { continue }
      oneofs[index] = unique(oneofs[index], index)
    }
  }
}
