import GRPCCore
import SwiftProtobuf

/// A failure with details, as `google.rpc.Status` carries it in gRPC's richer error model.
///
/// Thrown from a handler it becomes the call's status, and the details travel in its trailing
/// metadata; a client finds them with ``GRPCCore/RPCError/unpackGoogleRPCStatus()``.
///
/// ```swift
/// throw GoogleRPCStatus(
///   code: .notFound, message: "No such race.", details: [try .packing(resource)])
/// ```
public struct GoogleRPCStatus: Error, Hashable {
  /// What kind of failure it is.
  public var code: RPCError.Code
  /// What a developer wants to know of it.
  public var message: String
  /// What else there is to know.
  public var details: [ErrorDetails]

  /// Creates a failure.
  ///
  /// - Parameters:
  ///   - code: The kind of failure.
  ///   - message: What a developer wants to know of it.
  ///   - details: What else there is to know.
  public init(code: RPCError.Code, message: String, details: [ErrorDetails] = []) {
    self.code = code
    self.message = message
    self.details = details
  }
}

extension GoogleRPCStatus {
  /// Where the details travel: gRPC's "Richer error model".
  static let metadataKey = "grpc-status-details-bin"

  /// Reads the binary format of a `google.rpc.Status`.
  ///
  /// - Parameter bytes: The bytes.
  /// - Throws: `BinaryDecodingError` where they are not such a message; ``RPCError`` where its code
  ///   is not that of a failure.
  public init(serializedBytes bytes: [UInt8]) throws {
    let status = try Google_Rpc_Status(serializedBytes: bytes)
    guard let code = Status.Code(rawValue: Int(status.code)).flatMap(RPCError.Code.init) else {
      throw RPCError(
        code: .internalError, message: "A google.rpc.Status has the code \(status.code).")
    }
    self.init(
      code: code, message: status.message, details: status.details.map { ErrorDetails.any($0) })
  }

  /// The binary format, as a `google.rpc.Status`.
  ///
  /// - Returns: The bytes.
  /// - Throws: Nothing in practice, since that message has no required fields.
  public func serializedBytes() throws -> [UInt8] {
    try Google_Rpc_Status.with {
      $0.code = Int32(code.rawValue)
      $0.message = message
      $0.details = details.map(\.any)
    }.serializedBytes()
  }
}

extension GoogleRPCStatus: RPCErrorConvertible {
  /// The code.
  public var rpcErrorCode: RPCError.Code { code }
  /// The message.
  public var rpcErrorMessage: String { message }
  /// The details.
  public var rpcErrorMetadata: Metadata {
    (try? serializedBytes()).map { [Self.metadataKey: .binary($0)] } ?? [:]
  }
}

extension RPCError {
  /// The details that the server sent along.
  ///
  /// - Returns: The failure with its details, or `nil` where the server sent none.
  /// - Throws: `BinaryDecodingError` or ``RPCError`` where what it sent can't be read.
  public func unpackGoogleRPCStatus() throws -> GoogleRPCStatus? {
    var values = metadata[binaryValues: GoogleRPCStatus.metadataKey].makeIterator()
    return try values.next().map { try GoogleRPCStatus(serializedBytes: $0) }
  }
}
