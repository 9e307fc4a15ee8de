/// A .proto file's descriptor, which the code generated from the file carries with it.
///
/// For each .proto file the generator writes one enum that conforms, named after the file's path:
/// `File_Grpc_Health_V1_Health` for `grpc/health/v1/health.proto`. Reflection takes the files of the
/// services it describes, and finds everything they need in ``dependencies``:
///
/// ```swift
/// let file = File_Grpc_Health_V1_Health.self
/// file.protoFileName              // "grpc/health/v1/health.proto"
/// file.serializedFileDescriptor   // a google.protobuf.FileDescriptorProto
/// file.dependencies               // the files it imports, as types
/// ```
public protocol FileDescriptorProviding: Sendable {
  /// The file's path as other files import it.
  static var protoFileName: String { get }

  /// The file's `google.protobuf.FileDescriptorProto` in the binary format, without comments.
  ///
  /// Imports that only serve options are left out, since nothing may be generated from them.
  static var serializedFileDescriptor: [UInt8] { get }

  /// The files that this one imports.
  static var dependencies: [any FileDescriptorProviding.Type] { get }
}

extension FileDescriptorProviding {
  /// The file's descriptor.
  public static var fileDescriptor: Google_Protobuf_FileDescriptorProto {
    get throws(BinaryDecodingError) {
      try Google_Protobuf_FileDescriptorProto(serializedBytes: serializedFileDescriptor)
    }
  }
}

/// Reads the base64 text in which generated code keeps a file's descriptor.
///
/// - Parameter base64: the text; line breaks in it mean nothing.
/// - Returns: the bytes.
public func decodeFileDescriptor(_ base64: StaticString) -> [UInt8] {
  let text = base64.description.utf8.filter { $0 != UInt8(ascii: "\n") }
  return Base64.decode(text.span) ?? []
}

/// Writes a file's descriptor as ``decodeFileDescriptor(_:)`` reads it: for code generators.
///
/// - Parameter bytes: a `google.protobuf.FileDescriptorProto` in the binary format.
public func encodeFileDescriptor(_ bytes: [UInt8]) -> String {
  var text: [UInt8] = []
  Base64.encode(bytes.span, into: &text)
  return String(decoding: text, as: UTF8.self)
}
