/// An enum of a .proto file.
///
/// An open enum has a case `UNRECOGNIZED` for numbers that its type does not know. A closed enum has
/// none: such a number is kept with the message's unknown fields.
public protocol Enum: RawRepresentable, CaseIterable, Hashable, Sendable where RawValue == Int {
  /// Creates the enum's default: its first value.
  init()

  /// The value with a number: never nil for an open enum.
  init?(rawValue: Int)

  /// The value's number.
  var rawValue: Int { get }

  /// The values' names.
  static var _protobufNames: EnumTable { get }
}

extension Enum {
  /// The value's name in the .proto file; nil for `UNRECOGNIZED`.
  public var name: String? { Self._protobufNames.name(of: rawValue) }

  /// The value with a name of the .proto file.
  public init?(name: String) {
    guard let number = Self._protobufNames.number(of: name) else { return nil }
    self.init(rawValue: number)
  }
}
