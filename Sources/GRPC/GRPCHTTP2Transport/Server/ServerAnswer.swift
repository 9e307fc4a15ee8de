import GRPCCore

/// The header blocks that a server sends.
enum ServerAnswer {
  static let headers: HeaderList = {
    var list = HeaderList()
    list.append(":status", "200")
    list.append("content-type", "application/grpc")
    return list
  }()

  static let okTrailers: HeaderList = {
    var list = HeaderList()
    list.append("grpc-status", "0")
    return list
  }()

  static func headers(
    _ metadata: Metadata, encoding: CompressionAlgorithm = .none
  ) -> HeaderList {
    guard !metadata.isEmpty || encoding != .none else { return headers }
    var list = headers
    if encoding != .none { list.append("grpc-encoding", encoding.headerValue) }
    list.append(metadata)
    return list
  }

  static func trailers(_ status: Status, _ metadata: Metadata) -> HeaderList {
    var list = HeaderList()
    append(status, metadata, to: &list)
    return list
  }

  /// Headers and trailers in one block, for a call that has no message.
  static func trailersOnly(_ status: Status, _ metadata: Metadata = [:]) -> HeaderList {
    var list = headers
    append(status, metadata, to: &list)
    return list
  }

  /// The answer to a request that is not served.
  static func refusal(_ refusal: RequestHead.Refusal) -> HeaderList {
    switch refusal {
    case .method:
      return httpError("405", "gRPC's requests are POST.")
    case .contentType:
      return httpError("415", "gRPC's content type is application/grpc.")
    case .encoding(let encoding, let accepted):
      var list = trailersOnly(
        Status(
          code: .unimplemented,
          message: "Messages encoded as “\(encoding)” are not understood here, but those of "
            + "“\(accepted.headerValue)”."))
      list.append("grpc-accept-encoding", accepted.headerValue)
      return list
    case .status(let status):
      return trailersOnly(status)
    }
  }

  /// The answer to a request that is none of gRPC's; says so to gRPC's clients as well.
  private static func httpError(_ code: StaticString, _ message: String) -> HeaderList {
    var list = HeaderList()
    list.append(":status", code)
    append(Status(code: .internalError, message: message), [:], to: &list)
    return list
  }

  private static func append(_ status: Status, _ metadata: Metadata, to list: inout HeaderList) {
    list.append("grpc-status", String(status.code.rawValue).utf8)
    if !status.message.isEmpty {
      list.append("grpc-message", PercentEncoding.encode(status.message))
    }
    list.append(metadata)
  }
}

extension RequestHead.Refusal {
  /// The status that gRPC's clients are told.
  var code: Status.Code {
    switch self {
    case .method, .contentType: .internalError
    case .encoding: .unimplemented
    case .status(let status): status.code
    }
  }
}
