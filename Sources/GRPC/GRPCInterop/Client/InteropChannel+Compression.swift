import GRPCCore
import GRPCProtobuf

extension InteropChannel {
  private typealias UnaryCall = Grpc_Testing_TestService.Method.UnaryCall

  private var compressed: CallOptions {
    var options = CallOptions.defaults
    options.compression = .gzip
    return options
  }

  func clientCompressedUnary() async throws {
    func request(expectCompressed: Bool) -> Grpc_Testing_SimpleRequest {
      .with {
        $0.expectCompressed = .with { $0.value = expectCompressed }
        $0.responseSize = 314_159
        $0.payload = .zeros(271_828)
      }
    }
    // Whether the server looks at all.
    if probesCompression {
      try await expectFailure(.invalidArgument) {
        _ = try await test.unaryCall(request(expectCompressed: true))
      }
    }
    for isCompressed in [true, false] {
      let response = try await test.unaryCall(
        request(expectCompressed: isCompressed), options: isCompressed ? compressed : .defaults)
      try checkEqual(response.payload, .zeros(314_159), "The response's payload")
    }
  }

  func serverCompressedUnary() async throws {
    for isCompressed in [true, false] {
      let request = Grpc_Testing_SimpleRequest.with {
        $0.responseCompressed = .with { $0.value = isCompressed }
        $0.responseSize = 314_159
        $0.payload = .zeros(271_828)
      }
      // As a stream, which tells whether a message came compressed.
      try await client.serverStreaming(
        request: ClientRequest(message: request), descriptor: UnaryCall.descriptor,
        serializer: ProtobufSerializer<UnaryCall.Input>(),
        deserializer: ProtobufDeserializer<UnaryCall.Output>(), options: .defaults
      ) { response in
        var messages = response.messages.makeAsyncIterator()
        let message = try await messages.next()
        try checkEqual(message?.payload, .zeros(314_159), "The response's payload")
        try check(
          messages.latestIsCompressed == isCompressed,
          "The response is \(isCompressed ? "not compressed" : "compressed").")
        try check(try await messages.next() == nil, "There is more than one response.")
      }
    }
  }

  func clientCompressedStreaming() async throws {
    typealias Request = Grpc_Testing_StreamingInputCallRequest
    func request(_ size: Int, expectCompressed: Bool) -> Request {
      .with {
        $0.expectCompressed = .with { $0.value = expectCompressed }
        $0.payload = .zeros(size)
      }
    }
    let probe = request(27_182, expectCompressed: true)
    if probesCompression {
      try await expectFailure(.invalidArgument) {
        _ = try await test.streamingInputCall { try await $0.write(probe) }
      }
    }
    let plain = request(45_904, expectCompressed: false)
    let response = try await test.streamingInputCall(options: compressed) { writer in
      try await writer.write(probe)
      try await writer.write(plain, options: WriteOptions(compression: CompressionAlgorithm.none))
    }
    try checkEqual(response.aggregatedPayloadSize, 73_086, "The size of the payloads")
  }

  func serverCompressedStreaming() async throws {
    let parameters = [(31_415, true), (92_653, false)]
    let request = Grpc_Testing_StreamingOutputCallRequest.with {
      $0.responseParameters = parameters.map { size, isCompressed in
        .with {
          $0.size = Int32(size)
          $0.compressed = .with { $0.value = isCompressed }
        }
      }
    }
    try await test.streamingOutputCall(request) { response in
      var messages = response.messages.makeAsyncIterator()
      for (size, isCompressed) in parameters {
        let message = try await messages.next()
        try checkEqual(message?.payload, .zeros(size), "The response's payload")
        try check(
          messages.latestIsCompressed == isCompressed,
          "The response is \(isCompressed ? "not compressed" : "compressed").")
      }
      try check(try await messages.next() == nil, "There are too many responses.")
    }
  }
}
