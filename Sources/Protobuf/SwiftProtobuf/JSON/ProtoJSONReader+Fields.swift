extension ProtoJSONReader {
  /// Reads an object of fields into `message`.
  ///
  /// - Parameter isAny: whether the message is in an `Any`, so that `@type` is no field of it.
  mutating func object<M: Message>(into message: inout M, isAny: Bool = false) throws {
    guard skip(UInt8(ascii: "{")) else {
      throw failure(.typeMismatch(expected: "an object"))
    }
    try enter()
    let fields = M._protobufFields
    var seen = FieldSet()
    var seenExtensions: Set<Int> = []
    var next = 0
    if !skip(UInt8(ascii: "}")) {
      repeat {
        _ = peek()
        let start = position
        let found: Int?
        var name = ""
        // Fields mostly come in the order of their numbers.
        if let range = plainString(), fields.isName(text.extracting(range), ofFieldAt: next) {
          position = range.upperBound + 1
          found = next
        } else {
          name = try string()
          found = fields.index(of: name)
        }
        try expect(UInt8(ascii: ":"))
        if let found {
          next = found + 1
          try field(at: found, of: fields, into: &message, isFirst: seen.insert(found), start)
        } else if let ext = ext(named: name, of: M.self) {
          guard seenExtensions.insert(ext.fieldNumber).inserted else {
            throw JSONDecodingError(code: .duplicateField(name), byteOffset: start)
          }
          do {
            try message._protobufReadExtension(ext, from: &self)
          } catch let error as JSONDecodingError {
            throw error.prefixed(by: name)
          }
        } else if ignoresUnknownFields || isAny && name == "@type" {
          try skipValue()
        } else {
          throw JSONDecodingError(code: .unknownField(name), byteOffset: start)
        }
      } while skip(UInt8(ascii: ","))
      try expect(UInt8(ascii: "}"))
    }
    leave()
  }

  /// The extension that a member's name in brackets stands for.
  private func ext(named name: String, of type: any Message.Type) -> (any AnyMessageExtension)? {
    guard let extensions, name.hasPrefix("["), name.hasSuffix("]") else { return nil }
    return extensions.named(String(name.dropFirst().dropLast()), of: type)
  }

  private mutating func field<M: Message>(
    at index: Int, of fields: FieldTable, into message: inout M, isFirst: Bool, _ start: Int
  ) throws {
    let field = fields.entries[index]
    guard isFirst else {
      throw JSONDecodingError(code: .duplicateField(field.jsonName), byteOffset: start)
    }
    do {
      try message._protobufRead(field.number, from: &self)
    } catch let error as JSONDecodingError {
      throw error.prefixed(by: field.jsonName)
    }
  }

  /// Reads `null` if it is next and no value of the field's type.
  private mutating func skipNull<F: FieldCoding>(_ coding: F.Type) -> Bool {
    peek() == UInt8(ascii: "n") && !F.acceptsJSONNull && skip(word: "null")
  }

  /// Reads an array.
  mutating func array<F: FieldCoding>(_ coding: F.Type, into values: inout [F.Value]) throws {
    guard skip(UInt8(ascii: "[")) else { throw failure(.typeMismatch(expected: "an array")) }
    try enter()
    if !skip(UInt8(ascii: "]")) {
      repeat {
        do {
          if skipNull(coding) { throw failure(.illegalNull) }
          if let value = try F.read(from: &self) { values.append(value) }
        } catch let error as JSONDecodingError {
          throw error.prefixed(by: "[\(values.count)]")
        }
      } while skip(UInt8(ascii: ","))
      try expect(UInt8(ascii: "]"))
    }
    leave()
  }
}

/// The fields of one object that were read.
private struct FieldSet {
  private var low: UInt64 = 0
  private var high: Set<Int> = []

  /// Adds the field at `index`; false if it was there.
  mutating func insert(_ index: Int) -> Bool {
    guard index < 64 else { return high.insert(index).inserted }
    defer { low |= 1 << UInt64(index) }
    return low & 1 << UInt64(index) == 0
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ProtoJSONReader: FieldReader {
  public mutating func optional<F: FieldCoding>(
    _ coding: F.Type, into value: inout F.Value?
  ) throws {
    if skipNull(coding) { return }
    if let read = try F.read(from: &self) { value = read }
  }

  public mutating func optional<F: FieldCoding>(
    _ coding: F.Type, into box: inout Indirect<F.Value>?
  ) throws {
    if skipNull(coding) { return }
    if let read = try F.read(from: &self) { box = Indirect(read) }
  }

  public mutating func implicit<F: FieldCoding>(
    _ coding: F.Type, into value: inout F.Value
  ) throws {
    if skipNull(coding) { return }
    if let read = try F.read(from: &self) { value = read }
  }

  public mutating func member<F: FieldCoding>(_ coding: F.Type, isSet: Bool) throws -> F.Value? {
    if skipNull(coding) { return nil }
    if isSet { throw failure(.conflictingOneOf) }
    return try F.read(from: &self)
  }

  public mutating func repeated<F: FieldCoding>(
    _ coding: F.Type, into values: inout [F.Value]
  ) throws {
    if skip(word: "null") { return }
    try array(coding, into: &values)
  }

  public mutating func map<K: MapKeyCoding, V: FieldCoding>(
    _ key: K.Type, _ value: V.Type, into entries: inout [K.Value: V.Value]
  ) throws {
    if skip(word: "null") { return }
    guard skip(UInt8(ascii: "{")) else { throw failure(.typeMismatch(expected: "an object")) }
    try enter()
    if !skip(UInt8(ascii: "}")) {
      repeat {
        _ = peek()
        let start = position
        let key = try K.readKey(from: &self)
        try expect(UInt8(ascii: ":"))
        do {
          if skipNull(value) { throw failure(.illegalNull) }
          if let value = try V.read(from: &self),
            entries.updateValue(value, forKey: key) != nil
          {
            throw JSONDecodingError(code: .duplicateField("\(key)"), byteOffset: start)
          }
        } catch let error as JSONDecodingError {
          throw error.prefixed(by: "[\(key)]")
        }
      } while skip(UInt8(ascii: ","))
      try expect(UInt8(ascii: "}"))
    }
    leave()
  }
}
