extension ProtoJSONReader {
  /// Reads an object of fields into `message`.
  ///
  /// - Parameter isAny: whether the message is in an `Any`, so that `@type` is no field of it.
  @inlinable
  mutating func object<M: Message>(into message: inout M, isAny: Bool = false) throws {
    var members = try enterMembers(M._protobufFields, isAny: isAny)
    while true {
      switch try nextMember(&members, of: M.self) {
      case .field(let number):
        do {
          try message._protobufReadJSON(number, from: &self)
        } catch {
          throw members.located(error)
        }
      case .extensionField(let ext):
        do {
          try message._protobufReadExtension(ext, from: &self)
        } catch {
          throw members.located(error)
        }
      case .end:
        return leave()
      }
    }
  }

  /// What is known of an object of fields that is being read.
  @usableFromInline
  struct Members {
    let fields: FieldTable
    let isAny: Bool
    var isFirst = true
    /// The places of the fields that were read, in the table.
    var seen = FieldSet()
    var seenExtensions: Set<Int> = []
    /// The place of the field that is likely to be next.
    var next = 0
    /// The extension at hand.
    var ext: (any AnyMessageExtension)?

    init(fields: FieldTable, isAny: Bool) {
      self.fields = fields
      self.isAny = isAny
    }

    /// An error as the message sees it: with the name of the field at hand.
    @usableFromInline
    func located(_ error: any Error) -> any Error {
      guard let error = error as? JSONDecodingError else { return error }
      return error.prefixed(
        by: ext.map { "[\($0.fieldName)]" } ?? fields.entries[next - 1].jsonName)
    }
  }

  /// What comes next in an object of fields.
  @usableFromInline
  enum Member {
    case field(number: Int)
    case extensionField(any AnyMessageExtension)
    case end
  }

  @usableFromInline
  mutating func enterMembers(_ fields: FieldTable, isAny: Bool) throws -> Members {
    guard skip(UInt8(ascii: "{")) else { throw failure(.typeMismatch(expected: "an object")) }
    try enter()
    return Members(fields: fields, isAny: isAny)
  }

  /// Reads up to the next field's value.
  @usableFromInline
  mutating func nextMember(
    _ members: inout Members, of type: any Message.Type
  ) throws -> Member {
    while true {
      if members.isFirst {
        members.isFirst = false
        if skip(UInt8(ascii: "}")) { return .end }
      } else if !skip(UInt8(ascii: ",")) {
        try expect(UInt8(ascii: "}"))
        return .end
      }
      _ = peek()
      let start = position
      // Fields mostly come in the order of their numbers, and their names without escapes.
      if skip(exactly: members.fields.jsonHead(at: members.next)) {
        return .field(number: try members.insert(members.next, start))
      }
      let name = try string()
      try expect(UInt8(ascii: ":"))
      if let found = members.fields.index(of: name) {
        return .field(number: try members.insert(found, start))
      }
      if let ext = ext(named: name, of: type) {
        guard members.seenExtensions.insert(ext.fieldNumber).inserted else {
          throw JSONDecodingError(code: .duplicateField(name), byteOffset: start)
        }
        members.ext = ext
        return .extensionField(ext)
      }
      guard ignoresUnknownFields || members.isAny && name == "@type" else {
        throw JSONDecodingError(code: .unknownField(name), byteOffset: start)
      }
      try skipValue()
    }
  }

  /// The extension that a member's name in brackets stands for.
  private func ext(named name: String, of type: any Message.Type) -> (any AnyMessageExtension)? {
    guard let extensions, name.hasPrefix("["), name.hasSuffix("]") else { return nil }
    return extensions.named(String(name.dropFirst().dropLast()), of: type)
  }

  /// Reads `null` if it is next and no value of the field's type.
  @inlinable
  mutating func skipNull<F: FieldCoding>(_ coding: F.Type) -> Bool {
    peek() == UInt8(ascii: "n") && !F.acceptsJSONNull && skip(word: "null")
  }

  /// An error as what is around sees it: with the key or the index of the element at hand.
  @usableFromInline
  func located(_ error: any Error, at index: some Any) -> any Error {
    (error as? JSONDecodingError)?.prefixed(by: "[\(index)]") ?? error
  }

  /// Reads an array.
  @inlinable
  mutating func array<F: FieldCoding>(_ coding: F.Type, into values: inout [F.Value]) throws {
    guard skip(UInt8(ascii: "[")) else { throw failure(.typeMismatch(expected: "an array")) }
    try enter()
    if !skip(UInt8(ascii: "]")) {
      repeat {
        do {
          if skipNull(coding) { throw failure(.illegalNull) }
          if let value = try F.read(from: &self) { values.append(value) }
        } catch {
          throw located(error, at: values.count)
        }
      } while skip(UInt8(ascii: ","))
      try expect(UInt8(ascii: "]"))
    }
    leave()
  }
}

extension ProtoJSONReader.Members {
  /// Notes that the field at a place in the table comes now, and gives its number.
  fileprivate mutating func insert(_ index: Int, _ start: Int) throws -> Int {
    guard seen.insert(index) else {
      throw JSONDecodingError(
        code: .duplicateField(fields.entries[index].jsonName), byteOffset: start)
    }
    ext = nil
    next = index + 1
    return fields.entries[index].number
  }
}

/// The fields of one object that were read.
struct FieldSet {
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
  @inlinable
  public mutating func optional<F: FieldCoding>(
    _ coding: F.Type, into value: inout F.Value?
  ) throws {
    if skipNull(coding) { return }
    if let read = try F.read(from: &self) { value = read }
  }

  @inlinable
  public mutating func optional<F: FieldCoding>(
    _ coding: F.Type, into box: inout Indirect<F.Value>?
  ) throws {
    if skipNull(coding) { return }
    if let read = try F.read(from: &self) { box = Indirect(read) }
  }

  @inlinable
  public mutating func implicit<F: FieldCoding>(
    _ coding: F.Type, into value: inout F.Value
  ) throws {
    if skipNull(coding) { return }
    if let read = try F.read(from: &self) { value = read }
  }

  @inlinable
  public mutating func member<F: FieldCoding>(_ coding: F.Type, isSet: Bool) throws -> F.Value? {
    if skipNull(coding) { return nil }
    if isSet { throw failure(.conflictingOneOf) }
    return try F.read(from: &self)
  }

  @inlinable
  public mutating func repeated<F: FieldCoding>(
    _ coding: F.Type, into values: inout [F.Value]
  ) throws {
    if skip(word: "null") { return }
    try array(coding, into: &values)
  }

  @inlinable
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
        } catch {
          throw located(error, at: key)
        }
      } while skip(UInt8(ascii: ","))
      try expect(UInt8(ascii: "}"))
    }
    leave()
  }
}
