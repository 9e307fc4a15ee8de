import SwiftProtobuf

/// One of the messages that tell more of a failure than its code and its text.
///
/// The standard ones of `google/rpc/error_details.proto` are made with functions such as
/// ``retryInfo(delay:)`` and read with properties such as ``retryInfo``. Any other message is made
/// with ``packing(_:)`` and read with ``unpack(_:)``.
public struct ErrorDetails: Sendable, Hashable {
  /// The message, packed.
  public let any: Google_Protobuf_Any

  /// Creates details of a packed message.
  ///
  /// - Parameter any: The message.
  public static func any(_ any: Google_Protobuf_Any) -> Self {
    Self(any: any)
  }

  /// Creates details of a message.
  ///
  /// - Parameter message: The message.
  /// - Throws: `BinaryEncodingError` where a required field is missing.
  public static func packing(_ message: some Message) throws -> Self {
    Self(any: try Google_Protobuf_Any(message: message))
  }

  /// Reads the message, where it has a type.
  ///
  /// - Parameter type: The type of the message.
  /// - Returns: The message, or `nil` where it has another type.
  /// - Throws: `BinaryDecodingError` where its bytes can't be read.
  public func unpack<M: Message>(_ type: M.Type = M.self) throws -> M? {
    guard any.isA(type) else { return nil }
    return try M(unpackingAny: any)
  }
}

/// A standard kind of details, and the message that carries it.
protocol StandardErrorDetails {
  associatedtype Carrier: Message

  init(_ carrier: Carrier)
  var carrier: Carrier { get }
}

extension ErrorDetails {
  /// Packs a standard kind of details.
  init(_ details: some StandardErrorDetails) {
    // None of the standard messages has a required field, without which packing can't fail.
    any = (try? Google_Protobuf_Any(message: details.carrier)) ?? Google_Protobuf_Any()
  }

  /// Reads a standard kind of details; `nil` where these are of another kind, or can't be read.
  func standard<Details: StandardErrorDetails>(_ type: Details.Type = Details.self) -> Details? {
    (try? unpack(Details.Carrier.self)).flatMap { $0 }.map(Details.init)
  }
}
