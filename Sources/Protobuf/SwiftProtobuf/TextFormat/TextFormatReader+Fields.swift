extension TextFormatReader {
  /// Reads what stands between a field's name and its value. Messages need no colon.
  private mutating func colon<F: FieldCoding>(before coding: F.Type) throws {
    guard skip(":") || F.isMessage else { throw failure(.malformedText) }
  }

  private func refuseRepetition() throws {
    if isRepetition { throw failure(.duplicateField, at: nameStart) }
  }

  /// Reads a map's entry: a message with the fields `key` and `value`.
  private mutating func entry<K: MapKeyCoding, V: FieldCoding>(
    _: K.Type, _: V.Type
  ) throws -> (K.Value, V.Value) {
    let close = try open()
    try enter()
    var key: K.Value?
    var value: V.Value?
    while !skip(close) {
      _ = peek()
      let start = position
      switch try identifier() {
      case "key":
        guard key == nil else { throw failure(.duplicateField, at: start) }
        try colon(before: K.self)
        key = try K.read(from: &self)
      case "value":
        guard value == nil else { throw failure(.duplicateField, at: start) }
        try colon(before: V.self)
        value = try V.read(from: &self)
      case let name:
        guard options.ignoreUnknownFields else { throw failure(.unknownField(name), at: start) }
        try skipField()
      }
      if !skip(",") { _ = skip(";") }
    }
    leave()
    return (key ?? K.defaultValue, value ?? V.defaultValue)
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension TextFormatReader: FieldReader {
  public mutating func optional<F: FieldCoding>(
    _ coding: F.Type, into value: inout F.Value?
  ) throws {
    try refuseRepetition()
    try colon(before: coding)
    value = try F.read(from: &self)
  }

  public mutating func optional<F: FieldCoding>(
    _ coding: F.Type, into box: inout Indirect<F.Value>?
  ) throws {
    try refuseRepetition()
    try colon(before: coding)
    box = Indirect(try F.read(from: &self))
  }

  public mutating func implicit<F: FieldCoding>(
    _ coding: F.Type, into value: inout F.Value
  ) throws {
    try refuseRepetition()
    try colon(before: coding)
    value = try F.read(from: &self)
  }

  public mutating func member<F: FieldCoding>(_ coding: F.Type, isSet: Bool) throws -> F.Value? {
    try refuseRepetition()
    if isSet { throw failure(.conflictingOneOf, at: nameStart) }
    try colon(before: coding)
    return try F.read(from: &self)
  }

  public mutating func repeated<F: FieldCoding>(
    _ coding: F.Type, into values: inout [F.Value]
  ) throws {
    try colon(before: coding)
    guard skip("[") else { return values.append(try F.read(from: &self)) }
    if skip("]") { return }
    repeat {
      values.append(try F.read(from: &self))
    } while skip(",")
    try expect("]")
  }

  public mutating func map<K: MapKeyCoding, V: FieldCoding>(
    _ key: K.Type, _ value: V.Type, into entries: inout [K.Value: V.Value]
  ) throws {
    _ = skip(":")
    let isList = skip("[")
    if isList, skip("]") { return }
    repeat {
      let (key, value) = try entry(key, value)
      entries[key] = value
    } while isList && skip(",")
    if isList { try expect("]") }
  }
}
