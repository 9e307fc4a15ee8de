import GRPCCore

extension InteropChannel {
  func customMetadata() async throws {
    let metadata: Metadata = [
      EchoMetadata.initial: "test_initial_metadata_value",
      EchoMetadata.trailing: .binary([0xAB, 0xAB, 0xAB]),
    ]
    @Sendable func checkEcho(_ initial: Metadata, _ trailing: Metadata) throws {
      try checkEqual(
        Array(initial[stringValues: EchoMetadata.initial]), ["test_initial_metadata_value"],
        "The initial metadata")
      try checkEqual(
        Array(trailing[binaryValues: EchoMetadata.trailing]), [[0xAB, 0xAB, 0xAB]],
        "The trailing metadata")
    }
    let request = Grpc_Testing_SimpleRequest.with {
      $0.responseSize = 314_159
      $0.payload = .zeros(271_828)
    }
    try await test.unaryCall(request, metadata: metadata) { response in
      _ = try response.message
      try checkEcho(response.metadata, response.trailingMetadata)
    }
    try await test.fullDuplexCall(metadata: metadata) { writer in
      try await writer.write(Self.request(response: 314_159, payload: 271_828))
    } onResponse: { response in
      for try await part in response.bodyParts {
        guard case .trailingMetadata(let trailing) = part else { continue }
        try checkEcho(response.metadata, trailing)
      }
    }
  }

  func statusCodeAndMessage() async throws {
    let status = Grpc_Testing_EchoStatus.with {
      $0.code = 2
      $0.message = "test status message"
    }
    let unary = try await expectFailure(.unknown) {
      _ = try await test.unaryCall(.with { $0.responseStatus = status })
    }
    try checkEqual(unary.message, status.message, "The message")
    let duplex = try await expectFailure(.unknown) {
      try await test.fullDuplexCall { writer in
        try await writer.write(.with { $0.responseStatus = status })
      } onResponse: { response in
        for try await _ in response.messages {}
      }
    }
    try checkEqual(duplex.message, status.message, "The message")
  }

  func specialStatusMessage() async throws {
    let message = "\t\ntest with whitespace\r\nand Unicode BMP ☺ and non-BMP 😈\t\n"
    let error = try await expectFailure(.unknown) {
      _ = try await test.unaryCall(
        .with {
          $0.responseStatus = .with {
            $0.code = 2
            $0.message = message
          }
        })
    }
    try checkEqual(error.message, message, "The message")
  }

  func unimplementedMethod() async throws {
    try await expectFailure(.unimplemented) {
      _ = try await test.unimplementedCall(Grpc_Testing_Empty())
    }
  }

  func unimplementedService() async throws {
    try await expectFailure(.unimplemented) {
      let service = Grpc_Testing_UnimplementedService.Client(wrapping: client)
      _ = try await service.unimplementedCall(Grpc_Testing_Empty())
    }
  }
}
