extension TextFormatReader {
  /// Reads fields into `message`, up to the bracket that closes it or the end of the text.
  mutating func fields<M: Message>(of message: inout M, upTo close: Unicode.Scalar?) throws {
    try enter()
    let table = M._protobufFields
    var seen: Set<Int> = []
    while try !isClosed(close) {
      let start = position
      if current == UInt8(ascii: "[") {
        try bracketedField(of: &message, seen: &seen)
      } else {
        let name = try identifier()
        if let field = table.entry(textName: name) {
          isRepetition = !seen.insert(field.number).inserted
          nameStart = start
          do {
            try message._protobufRead(field.number, from: &self)
          } catch let error as TextFormatDecodingError {
            throw error.prefixed(by: name)
          }
        } else if options.ignoreUnknownFields || table.isReserved(name) {
          try skipField()
        } else {
          throw failure(.unknownField(name), at: start)
        }
      }
      if !skip(",") { _ = skip(";") }
    }
    leave()
  }

  /// Reads a message in brackets.
  mutating func message<M: Message>(_ type: M.Type) throws -> M {
    var message = M()
    let close = try open()
    try fields(of: &message, upTo: close)
    return message
  }

  /// Reads the bracket that closes the message at hand if it is next.
  private mutating func isClosed(_ close: Unicode.Scalar?) throws -> Bool {
    if let close {
      if skip(close) { return true }
      if isAtEnd { throw failure(.malformedText) }
      return false
    }
    _ = peek()
    return isAtEnd
  }

  /// Reads a field whose name is in brackets: an extension, or the message in an `Any`.
  private mutating func bracketedField<M: Message>(
    of message: inout M, seen: inout Set<Int>
  ) throws {
    let start = position
    try expect("[")
    let name = try bracketedName()
    if name.contains("/") {
      guard var any = message as? Google_Protobuf_Any else {
        throw failure(.unknownField("[\(name)]"), at: start)
      }
      guard seen.insert(1).inserted, seen.insert(2).inserted else {
        throw failure(.duplicateField, at: start).prefixed(by: "[\(name)]")
      }
      try expandedAny(&any, url: name, start: start)
      if let filled = any as? M { message = filled }
    } else if let ext = extensions?.named(name, of: M.self) {
      isRepetition = !seen.insert(ext.fieldNumber).inserted
      nameStart = start
      do {
        try message._protobufReadExtension(ext, from: &self)
      } catch let error as TextFormatDecodingError {
        throw error.prefixed(by: "[\(name)]")
      }
    } else if options.ignoreUnknownExtensionFields || options.ignoreUnknownFields {
      try skipField()
    } else {
      throw failure(.unknownExtension(name), at: start)
    }
  }

  /// Reads the name of an extension or the URL of a type, and the closing bracket.
  private mutating func bracketedName() throws -> String {
    var name = ""
    while !skip("]") {
      let byte = peek()
      guard !isAtEnd, byte.isURLCharacter else { throw failure(.malformedText) }
      if byte == UInt8(ascii: "%") {
        guard text.count - position > 2, text[position + 1].hexadecimalValue != nil,
          text[position + 2].hexadecimalValue != nil
        else { throw failure(.malformedText) }
      }
      name.unicodeScalars.append(Unicode.Scalar(byte))
      position += 1
    }
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard let typeName = parts.last, parts.count == 1 || parts.first?.isEmpty == false,
      typeName.split(separator: ".", omittingEmptySubsequences: false).allSatisfy({
        $0.utf8.first?.isIdentifierHead == true
          && $0.utf8.allSatisfy { $0.isIdentifierHead || $0.isDigit }
      })
    else { throw failure(.malformedText) }
    return name
  }

  /// Reads the message in an `Any`.
  private mutating func expandedAny(
    _ any: inout Google_Protobuf_Any, url: String, start: Int
  ) throws {
    any.typeURL = url
    guard let type = Google_Protobuf_Any.messageType(forMessageName: String(any.typeName)) else {
      throw failure(.unregisteredType(url), at: start)
    }
    _ = skip(":")
    do {
      any.value = try anyValue(type)
    } catch let error as TextFormatDecodingError {
      throw error.prefixed(by: "[\(url)]")
    }
  }

  private mutating func anyValue<M: Message>(_ type: M.Type) throws -> [UInt8] {
    try message(type).serializedBytes(partial: true)
  }
}

extension UInt8 {
  /// Whether the URL of a type may have this character: those of RFC 3986 without delimiters of
  /// query and fragment.
  fileprivate var isURLCharacter: Bool {
    isIdentifierHead || isDigit || "-.~!$&()*+,;=%/".utf8.contains(self)
  }
}
