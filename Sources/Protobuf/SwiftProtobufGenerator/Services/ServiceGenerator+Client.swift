extension ServiceGenerator {
  /// Writes the client: its protocol, the concrete one, and the short forms of its calls.
  func writeClient(to writer: inout SourceWriter) {
    writer.line("")
    writeTopLevel("extension \(namespace)", to: &writer) { writer in
      writer.documentation(["Calls the service's methods."])
      writer.block("\(access)protocol ClientProtocol: Sendable") { writer in
        for (index, method) in methods.enumerated() {
          if index > 0 { writer.line("") }
          writeComment(of: method, to: &writer)
          writeFullSignature(method, to: &writer, access: "", opensBody: false)
        }
      }
      writer.line("")
      writer.documentation(["Calls the service's methods over a transport."])
      writer.block(
        "\(access)struct Client<_Transport: \(core).ClientTransport>: ClientProtocol"
      ) { writer in
        writer.line("private let client: \(core).GRPCClient<_Transport>", "")
        writer.documentation(["Wraps a client."])
        writer.block("\(access)init(wrapping client: \(core).GRPCClient<_Transport>)") {
          $0.line("self.client = client")
        }
        for method in methods {
          writer.line("")
          writeCall(method, to: &writer)
        }
      }
    }
    writer.line("")
    writeTopLevel("extension \(namespace).ClientProtocol", to: &writer) { writer in
      for (index, method) in methods.enumerated() {
        if index > 0 { writer.line("") }
        writeDefaulted(method, to: &writer)
        writer.line("")
        writeShort(method, to: &writer)
      }
    }
  }

  private func writeComment(of method: MethodShape, to writer: inout SourceWriter) {
    writer.documentation(method.comment.isEmpty ? ["Calls \(method.name)."] : method.comment)
  }

  private func requestType(_ method: MethodShape) -> String {
    "\(core).\(method.kind.streamsRequests ? "StreamingClientRequest" : "ClientRequest")"
      + "<\(method.input)>"
  }

  private func responseHandler(_ method: MethodShape) -> String {
    let response = method.kind.streamsResponses ? "StreamingClientResponse" : "ClientResponse"
    return "@Sendable @escaping (\(core).\(response)<\(method.output)>) async throws -> _Result"
  }

  /// What a call does with its response if its caller does not say: it returns the message.
  private func defaultHandler(_ method: MethodShape) -> String {
    method.kind.streamsResponses ? "" : " = { response in try response.message }"
  }

  private func writeFullSignature(
    _ method: MethodShape, to writer: inout SourceWriter, access: String, opensBody: Bool
  ) {
    writer.line("\(access)func \(method.function)<_Result: Sendable>(")
    writer.indented { writer in
      writer.line(
        "request: \(requestType(method)),",
        "serializer: some \(core).MessageSerializer<\(method.input)>,",
        "deserializer: some \(core).MessageDeserializer<\(method.output)>,",
        "options: \(core).CallOptions,",
        "onResponse handleResponse: \(responseHandler(method))")
    }
    writer.line(") async throws -> _Result" + (opensBody ? " {" : ""))
  }

  private func writeCall(_ method: MethodShape, to writer: inout SourceWriter) {
    writeComment(of: method, to: &writer)
    writeFullSignature(method, to: &writer, access: access, opensBody: true)
    writer.indented { writer in
      writer.line("try await self.client.\(method.kind.rawValue)(")
      writer.indented { writer in
        writer.line(
          "request: request, descriptor: \(namespace).Method.`\(method.name)`.descriptor,",
          "serializer: serializer, deserializer: deserializer, options: options,",
          "onResponse: handleResponse)")
      }
    }
    writer.line("}")
  }

  /// The call without serializers.
  private func writeDefaulted(_ method: MethodShape, to writer: inout SourceWriter) {
    writeComment(of: method, to: &writer)
    writer.line("\(access)func \(method.function)<_Result: Sendable>(")
    writer.indented { writer in
      writer.line(
        "request: \(requestType(method)),",
        "options: \(core).CallOptions = .defaults,",
        "onResponse handleResponse: \(responseHandler(method))\(defaultHandler(method))")
    }
    writer.line(") async throws -> _Result {")
    writer.indented { writer in
      writer.line("try await self.\(method.function)(")
      writer.indented { writer in
        writer.line(
          "request: request,",
          "serializer: \(protobuf).ProtobufSerializer<\(method.input)>(),",
          "deserializer: \(protobuf).ProtobufDeserializer<\(method.output)>(),",
          "options: options, onResponse: handleResponse)")
      }
    }
    writer.line("}")
  }

  /// The call without a request object.
  private func writeShort(_ method: MethodShape, to writer: inout SourceWriter) {
    writeComment(of: method, to: &writer)
    writer.line("\(access)func \(method.function)<_Result: Sendable>(")
    writer.indented { writer in
      if !method.kind.streamsRequests { writer.line("_ message: \(method.input),") }
      writer.line(
        "metadata: \(core).Metadata = [:],",
        "options: \(core).CallOptions = .defaults,")
      if method.kind.streamsRequests {
        writer.line(
          "requestProducer producer: @Sendable @escaping "
            + "(\(core).RPCWriter<\(method.input)>) async throws -> Void,")
      }
      writer.line("onResponse handleResponse: \(responseHandler(method))\(defaultHandler(method))")
    }
    writer.line(") async throws -> _Result {")
    writer.indented { writer in
      writer.line(
        method.kind.streamsRequests
          ? "let request = \(core).StreamingClientRequest<\(method.input)>("
            + "metadata: metadata, producer: producer)"
          : "let request = \(core).ClientRequest<\(method.input)>("
            + "message: message, metadata: metadata)",
        "return try await self.\(method.function)(",
        "  request: request, options: options, onResponse: handleResponse)")
    }
    writer.line("}")
  }
}
