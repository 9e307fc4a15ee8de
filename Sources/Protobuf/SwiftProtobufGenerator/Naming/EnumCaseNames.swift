/// The Swift names of an enum's values.
struct EnumCaseNames {
  /// One value, and the value of the same number that comes before it, if any.
  struct Value {
    let number: Int
    let protoName: String
    let name: String
    let index: Int
    var isAlias: Bool
  }

  /// In the order of the .proto file; aliases whose Swift name is that of the first are left out.
  let values: [Value]

  init(_ type: EnumDescriptor) {
    let names = type.proto.value.map { value in
      SwiftNaming.enumCaseName(
        SwiftNaming.stripped(prefix: type.proto.name, from: value.name) ?? value.name)
    }
    // Values that end up with one name but differ in number get the number as a suffix.
    var numbers: [String: Set<Int32>] = [:]
    for (value, name) in zip(type.proto.value, names) {
      numbers[name, default: []].insert(value.number)
    }
    var values: [Value] = []
    var seenNumbers: Set<Int32> = []
    var seenNames: Set<String> = []
    for (index, (value, plain)) in zip(type.proto.value, names).enumerated() {
      var name = plain
      if let same = numbers[plain], same.count > 1 {
        let suffix = value.number < 0 ? "_n\(-Int(value.number))" : "_\(value.number)"
        name = plain.filter { $0 != "`" } + suffix
      }
      let isAlias = !seenNumbers.insert(value.number).inserted
      guard seenNames.insert(name).inserted else { continue }
      values.append(
        Value(
          number: Int(value.number), protoName: value.name, name: name, index: index,
          isAlias: isAlias))
    }
    self.values = values
  }

  /// The Swift name of the first value with a number.
  func name(of number: Int) -> String? {
    values.first { $0.number == number && !$0.isAlias }?.name
  }
}
