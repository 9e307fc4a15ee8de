import SwiftProtobuf

/// Answers the requests of the conformance suite: reads a message in one format and writes it in
/// another.
///
/// Specification: `conformance/conformance.proto`.
struct Testee {
  /// The types that messages may have, by name.
  private let types: [String: any Message.Type]

  /// The extensions that are no unknown fields.
  private let extensions: SimpleExtensionMap

  init(types: [any Message.Type], extensions: SimpleExtensionMap) {
    self.extensions = extensions
    self.types = Dictionary(uniqueKeysWithValues: types.map { ($0.protoMessageName, $0) })
  }

  func answer(_ request: Conformance_ConformanceRequest) -> Conformance_ConformanceResponse {
    // The first request asks for the tests that are known to fail: none.
    if request.messageType == Conformance_FailureSet.protoMessageName {
      return .with { $0.protobufPayload = [] }
    }
    guard let type = types[request.messageType] else {
      return .with { $0.runtimeError = "the testee has no type \(request.messageType)" }
    }
    return answer(request, type)
  }

  private func answer<M: Message>(
    _ request: Conformance_ConformanceRequest, _: M.Type
  ) -> Conformance_ConformanceResponse {
    do {
      guard let message = try read(request, M.self) else {
        return .with { $0.runtimeError = "the testee does not read this format" }
      }
      do {
        return try write(message, for: request)
      } catch {
        return .with { $0.serializeError = "\(error)" }
      }
    } catch {
      return .with { $0.parseError = "\(error)" }
    }
  }

  private func read<M: Message>(
    _ request: Conformance_ConformanceRequest, _: M.Type
  ) throws -> M? {
    switch request.payload {
    case .protobufPayload(let bytes):
      return try M(serializedBytes: bytes, extensions: extensions)
    case .jsonPayload(let text):
      var options = JSONDecodingOptions()
      options.ignoreUnknownFields = request.testCategory == .jsonIgnoreUnknownParsingTest
      return try M(jsonString: text, extensions: extensions, options: options)
    case .textPayload(let text):
      return try M(textFormatString: text, extensions: extensions)
    case .jspbPayload, nil:
      return nil
    }
  }

  private func write<M: Message>(
    _ message: M, for request: Conformance_ConformanceRequest
  ) throws -> Conformance_ConformanceResponse {
    var response = Conformance_ConformanceResponse()
    switch request.requestedOutputFormat {
    case .protobuf:
      response.protobufPayload = try message.serializedBytes()
    case .json:
      response.jsonPayload = try message.jsonString()
    case .textFormat:
      var options = TextFormatEncodingOptions()
      options.printUnknownFields = request.printUnknownFields
      response.textPayload = message.textFormatString(options: options)
    case .jspb, .unspecified, .UNRECOGNIZED:
      response.runtimeError = "the testee does not write this format"
    }
    return response
  }
}
