// ProtoJSON writes an Any as the message in it with its type's URL as "@type", or, if that has a
// form of its own, as an object of "@type" and "value".
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Google_Protobuf_Any {
  public static var _protobufHasSpecialJSON: Bool { true }

  public func _protobufWriteJSON(to writer: inout ProtoJSONWriter) throws {
    if typeURL.isEmpty, value.isEmpty { return writer.write(raw: "{}") }
    guard let type = Google_Protobuf_Any.messageType(forMessageName: String(typeName)) else {
      throw JSONEncodingError.unregisteredType(url: typeURL)
    }
    try write(as: type, to: &writer)
  }

  private func write<M: Message>(as type: M.Type, to writer: inout ProtoJSONWriter) throws {
    guard let message: M = unpacked(inside: writer.level.depth) else {
      throw JSONEncodingError.invalidAny(url: typeURL)
    }
    guard M._protobufHasSpecialJSON else {
      return try writer.write(object: message, leading: typeURL)
    }
    writer.write(raw: "{\"@type\":")
    writer.write(string: typeURL)
    writer.write(raw: ",\"value\":")
    writer.level.depth += 1
    try message._protobufWriteJSON(to: &writer)
    writer.level.depth -= 1
    writer.write(raw: "}")
  }

  public mutating func _protobufReadJSON(from reader: inout ProtoJSONReader) throws {
    let start = (reader.peek(), position: reader.position).position
    guard let url = try reader.typeURL() else {
      reader.position = start
      try reader.enter()
      // Without a type there must be no members either.
      guard reader.skip(UInt8(ascii: "{")), reader.skip(UInt8(ascii: "}")) else {
        throw JSONDecodingError(code: .unregisteredType(""), byteOffset: start)
      }
      reader.leave()
      return
    }
    typeURL = url
    guard let type = Google_Protobuf_Any.messageType(forMessageName: String(typeName)) else {
      throw JSONDecodingError(code: .unregisteredType(url), byteOffset: start)
    }
    reader.position = start
    value = try reader.anyValue(type)
  }
}

extension ProtoJSONReader {
  /// Reads over an object and gives the value of its member `@type`.
  fileprivate mutating func typeURL() throws -> String? {
    guard skip(UInt8(ascii: "{")) else { throw failure(.typeMismatch(expected: "an object")) }
    try enter()
    var url: String?
    if !skip(UInt8(ascii: "}")) {
      repeat {
        let name = try string()
        try expect(UInt8(ascii: ":"))
        if name == "@type" {
          guard url == nil else { throw failure(.duplicateField(name)) }
          url = try string()
        } else {
          try skipValue()
        }
      } while skip(UInt8(ascii: ","))
      try expect(UInt8(ascii: "}"))
    }
    leave()
    return url
  }

  /// Reads an `Any` that holds the type `M`, and writes the message in the binary format.
  fileprivate mutating func anyValue<M: Message>(_ type: M.Type) throws -> [UInt8] {
    var message = M()
    if M._protobufHasSpecialJSON {
      try specialAnyValue(into: &message)
    } else {
      try object(into: &message, isAny: true)
    }
    return try message.serializedBytes(partial: true)
  }

  /// Reads an object of `@type` and `value`.
  private mutating func specialAnyValue<M: Message>(into message: inout M) throws {
    try expect(UInt8(ascii: "{"))
    try enter()
    repeat {
      let start = position
      let name = try string()
      try expect(UInt8(ascii: ":"))
      if name == "value" {
        try message._protobufReadJSON(from: &self)
      } else if name == "@type" || ignoresUnknownFields {
        try skipValue()
      } else {
        throw JSONDecodingError(code: .unknownField(name), byteOffset: start)
      }
    } while skip(UInt8(ascii: ","))
    try expect(UInt8(ascii: "}"))
    leave()
  }
}
