/// The names of a message's fields, as generated code writes them down.
public final class FieldTable: Sendable {
  /// One field's names.
  struct Entry: Sendable {
    let number: Int
    /// The name in the .proto file.
    let name: String
    /// The name in the text format, where a group has that of its type.
    let textName: String
    /// The name in ProtoJSON.
    let jsonName: String
  }

  /// In the order of the numbers.
  let entries: [Entry]
  /// The places in ``entries`` by the names that ProtoJSON knows.
  private let indices: [String: Int]
  /// The places in ``entries`` by the names that the text format knows.
  private let textIndices: [String: Int]
  /// The names that no field may have any more.
  private let reservedNames: Set<String>
  /// How the fields begin in ProtoJSON, as in `"startTime":`, in the order of ``entries``.
  private let jsonHeads: [[UInt8]]
  /// The same with the names of the .proto file.
  private let protoHeads: [[UInt8]]

  /// Reads `"1 name 2 start_time 3 url=URL 4 lap:Lap 0 old"`: number and name of each field in the
  /// order of the numbers; then, behind a colon, the name in the text format where that is another
  /// one; then the name in JSON where it does not follow from the name, with its spaces and percent
  /// signs written as `%20` and `%25`. Reserved names have the number 0.
  public init(_ table: StaticString) {
    var entries: [Entry] = []
    var names: [String: Int] = [:]
    var textIndices: [String: Int] = [:]
    var reservedNames: Set<String> = []
    var words = table.description.split(separator: " ").makeIterator()
    while let number = words.next().flatMap({ Int($0) }), let word = words.next() {
      if number == 0 {
        reservedNames.insert(String(word))
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1)
      let protoNames = parts[0].split(separator: ":").map(String.init)
      guard let name = protoNames.first, let textName = protoNames.last else { break }
      let jsonName =
        parts.count > 1
        ? String(parts[1].replacing("%20", with: " ").replacing("%25", with: "%"))
        : FieldTable.jsonName(name)
      textIndices[name] = entries.count
      textIndices[textName] = entries.count
      if names[jsonName] == nil { names[jsonName] = entries.count }
      entries.append(
        Entry(number: number, name: name, textName: textName, jsonName: jsonName))
    }
    // Only the legacy JSON format lets one field's name in JSON be another's in the .proto file.
    for (index, entry) in entries.enumerated() where names[entry.name] == nil {
      names[entry.name] = index
    }
    self.entries = entries
    indices = names
    self.textIndices = textIndices
    self.reservedNames = reservedNames
    jsonHeads = entries.map { FieldTable.jsonHead($0.jsonName) }
    protoHeads = entries.map { FieldTable.jsonHead($0.name) }
  }

  /// A name as a member of an object begins with it. A `json_name` may be any string.
  private static func jsonHead(_ name: String) -> [UInt8] {
    var writer = ProtoJSONWriter(options: JSONEncodingOptions())
    writer.write(string: name)
    writer.colon()
    return writer.output
  }

  /// The place in ``entries`` of the field with this name in JSON or in the .proto file.
  func index(of name: String) -> Int? { indices[name] }

  /// The field with this name in the text format: its own, or that of a group's type.
  func entry(textName name: String) -> Entry? { textIndices[name].map { entries[$0] } }

  /// Whether no field may have this name any more.
  func isReserved(_ name: String) -> Bool { reservedNames.contains(name) }

  /// How the field at a place in ``entries`` begins in ProtoJSON; empty if there is none.
  func jsonHead(at index: Int) -> [UInt8] { index < jsonHeads.count ? jsonHeads[index] : [] }

  /// How the field with this number begins in ProtoJSON.
  ///
  /// - Parameter isPreserving: whether it has its name of the .proto file.
  func jsonHead(number: Int, isPreserving: Bool) -> [UInt8] {
    guard let index = index(number: number) else { return [] }
    return isPreserving ? protoHeads[index] : jsonHeads[index]
  }

  /// The names of the field with this number.
  func entry(number: Int) -> Entry? { index(number: number).map { entries[$0] } }

  private func index(number: Int) -> Int? {
    // Most messages number their fields 1, 2, 3, …
    if number >= 1, number <= entries.count, entries[number - 1].number == number {
      return number - 1
    }
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low < entries.count && entries[low].number == number ? low : nil
  }

  /// The name in JSON that follows from a field's name: lowerCamelCase, as protoc derives it.
  public static func jsonName(_ name: String) -> String {
    var result = ""
    var isAfterUnderscore = false
    for scalar in name.unicodeScalars {
      if scalar == "_" {
        isAfterUnderscore = true
      } else if isAfterUnderscore, scalar.value >= 97, scalar.value <= 122 {
        result.unicodeScalars.append(Unicode.Scalar(UInt8(scalar.value) - 32))
        isAfterUnderscore = false
      } else {
        result.unicodeScalars.append(scalar)
        isAfterUnderscore = false
      }
    }
    return result
  }
}
