// ProtoJSON writes a field mask as one string of lowerCamelCase paths.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Google_Protobuf_FieldMask {
  public static var _protobufHasSpecialJSON: Bool { true }

  public func _protobufWriteJSON(to writer: inout ProtoJSONWriter) throws {
    let camelCased = try paths.map { path in
      let camel = FieldTable.jsonName(path)
      // What does not read back, such as `a__b` or `aB`, has no form.
      guard Google_Protobuf_FieldMask.snakeCase(camel) == path else {
        throw JSONEncodingError.invalidFieldMask(path: path)
      }
      return camel
    }
    writer.write(string: camelCased.joined(separator: ","))
  }

  public mutating func _protobufReadJSON(from reader: inout ProtoJSONReader) throws {
    _ = reader.peek()
    let start = reader.position
    let text = try reader.string()
    paths = try text.split(separator: ",", omittingEmptySubsequences: !text.contains(",")).map {
      guard let path = Google_Protobuf_FieldMask.snakeCase(String($0)), !path.isEmpty else {
        throw JSONDecodingError(code: .malformedFieldMask, byteOffset: start)
      }
      return path
    }
  }

  /// `startTime` → `start_time`; nil if the path has an underscore, a letter beyond ASCII or a
  /// capital at its start.
  private static func snakeCase(_ path: String) -> String? {
    var result = ""
    for scalar in path.unicodeScalars {
      switch scalar {
      case "_": return nil
      case "A"..."Z":
        guard !result.isEmpty else { return nil }
        result += "_" + String(scalar).lowercased()
      default:
        guard scalar.isASCII else { return nil }
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
