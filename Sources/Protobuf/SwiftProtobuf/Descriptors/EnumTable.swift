/// The names of an enum's values, as generated code writes them down.
public final class EnumTable: Sendable {
  private let names: [Int: String]
  private let numbers: [String: Int]

  /// Reads `"0 FIRST 1 SECOND"`. Of several names with one number, the first is the one written.
  public init(_ table: StaticString) {
    var names: [Int: String] = [:]
    var numbers: [String: Int] = [:]
    var words = table.description.split(separator: " ").makeIterator()
    while let number = words.next().flatMap({ Int($0) }), let name = words.next().map(String.init) {
      if names[number] == nil { names[number] = name }
      numbers[name] = number
    }
    self.names = names
    self.numbers = numbers
  }

  func name(of number: Int) -> String? { names[number] }

  func number(of name: String) -> Int? { numbers[name] }
}
