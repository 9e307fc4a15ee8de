extension ServiceGenerator {
  /// Writes the protocols that a service's implementation conforms to, from the one that sees
  /// everything to the one that sees only messages, and how each is made from the next.
  func writeServer(to writer: inout SourceWriter) {
    writer.line("")
    writeTopLevel("extension \(namespace)", to: &writer) { writer in
      writer.documentation([
        "Implements the service with streams both ways for every method, and with metadata."
      ])
      writeProtocol(
        "StreamingServiceProtocol: \(core).RegistrableRPCService", { streaming($0) }, to: &writer)
      writer.line("")
      writer.documentation(["Implements the service with metadata."])
      writeProtocol(
        "ServiceProtocol: \(namespace).StreamingServiceProtocol", { plain($0) }, to: &writer)
      writer.line("")
      writer.documentation(["Implements the service by messages alone."])
      writeProtocol(
        "SimpleServiceProtocol: \(namespace).ServiceProtocol", { simple($0) }, to: &writer)
    }
    writeRegistration(to: &writer)
    writer.line("")
    writeTopLevel("extension \(namespace).ServiceProtocol", to: &writer) { writer in
      writeUnaryRegistration(to: &writer)
      for method in methods where method.kind != .bidirectionalStreaming {
        writer.line("")
        writeStreamingFromPlain(method, to: &writer)
      }
    }
    writer.line("")
    writeTopLevel("extension \(namespace).SimpleServiceProtocol", to: &writer) { writer in
      for (index, method) in methods.enumerated() {
        if index > 0 { writer.line("") }
        writePlainFromSimple(method, to: &writer)
      }
    }
  }

  private func writeProtocol(
    _ head: String, _ signature: (MethodShape) -> String, to writer: inout SourceWriter
  ) {
    writer.block("\(access)protocol \(head)") { writer in
      for (index, method) in methods.enumerated() {
        if index > 0 { writer.line("") }
        writer.documentation(
          method.comment.isEmpty ? ["Handles a call of \(method.name)."] : method.comment)
        writer.line(signature(method))
      }
    }
  }

  // MARK: - Signatures

  private func streaming(_ method: MethodShape) -> String {
    "func \(method.function)(request: \(core).StreamingServerRequest<\(method.input)>, "
      + "context: \(core).ServerContext) async throws "
      + "-> \(core).StreamingServerResponse<\(method.output)>"
  }

  private func plain(_ method: MethodShape) -> String {
    let request = method.kind.streamsRequests ? "StreamingServerRequest" : "ServerRequest"
    let response = method.kind.streamsResponses ? "StreamingServerResponse" : "ServerResponse"
    return "func \(method.function)(request: \(core).\(request)<\(method.input)>, "
      + "context: \(core).ServerContext) async throws -> \(core).\(response)<\(method.output)>"
  }

  private func simple(_ method: MethodShape) -> String {
    let request =
      method.kind.streamsRequests
      ? "\(core).RPCAsyncSequence<\(method.input), any Swift.Error>" : method.input
    let writer =
      method.kind.streamsResponses ? "response: \(core).RPCWriter<\(method.output)>, " : ""
    let result = method.kind.streamsResponses ? "" : " -> \(method.output)"
    return "func \(method.function)(request: \(request), \(writer)"
      + "context: \(core).ServerContext) async throws\(result)"
  }

  // MARK: - From one level to the next

  private func writeStreamingFromPlain(_ method: MethodShape, to writer: inout SourceWriter) {
    let request =
      method.kind.streamsRequests ? "request" : "\(core).ServerRequest(stream: request)"
    let call = "try await self.\(method.function)(request: \(request), context: context)"
    writer.documentation(["Handles the call by the function without streams."])
    writer.block(access + streaming(method)) { writer in
      writer.line(
        method.kind.streamsResponses
          ? "return \(call)" : "return \(core).StreamingServerResponse(single: \(call))")
    }
  }

  private func writePlainFromSimple(_ method: MethodShape, to writer: inout SourceWriter) {
    let request = method.kind.streamsRequests ? "request.messages" : "request.message"
    writer.documentation(["Handles the call by the function without metadata."])
    writer.block(access + plain(method)) { writer in
      if method.kind.streamsResponses {
        writer.line(
          "return \(core).StreamingServerResponse<\(method.output)>(metadata: [:]) { writer in",
          "  try await self.\(method.function)("
            + "request: \(request), response: writer, context: context)",
          "  return [:]",
          "}")
      } else {
        writer.line(
          "return \(core).ServerResponse(message: try await self.\(method.function)("
            + "request: \(request), context: context))")
      }
    }
  }

  // MARK: - Registration

  private func writeRegistration(to writer: inout SourceWriter) {
    writer.line("")
    writeTopLevel("extension \(namespace).StreamingServiceProtocol", to: &writer) { writer in
      writeRegistration(to: &writer) { _ in false }
    }
  }

  private func writeUnaryRegistration(to writer: inout SourceWriter) {
    writeRegistration(to: &writer) { $0.kind == .unary }
  }

  private func writeRegistration(
    to writer: inout SourceWriter, isUnary: (MethodShape) -> Bool
  ) {
    writer.documentation(["Registers the service's methods."])
    writer.block(
      "\(access)func registerMethods<_Transport: \(core).ServerTransport>("
        + "with router: inout \(core).RPCRouter<_Transport>)"
    ) { writer in
      for method in methods {
        writer.line(isUnary(method) ? "router.registerUnaryHandler(" : "router.registerHandler(")
        writer.indented { writer in
          writer.line(
            "forMethod: \(namespace).Method.`\(method.name)`.descriptor,",
            "deserializer: \(protobuf).ProtobufDeserializer<\(method.input)>(),",
            "serializer: \(protobuf).ProtobufSerializer<\(method.output)>(),",
            "handler: { request, context in try await self.\(method.function)("
              + "request: request, context: context) })")
        }
      }
    }
  }
}
