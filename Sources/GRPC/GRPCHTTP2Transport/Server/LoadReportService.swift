import GRPCCore

/// Tells clients of a server's load again and again, for as long as they listen.
struct LoadReportService<Time: Clock<Duration>>: RegistrableRPCService {
  let load: ServerLoad
  let minimumInterval: Duration
  let clock: Time

  func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
    router.registerHandler(
      forMethod: LoadReportReader.method, deserializer: PlainBytes(), serializer: PlainBytes()
    ) { request, _ in
      var requests = request.messages.makeAsyncIterator()
      guard let message = try await requests.next(isolation: nil),
        let request = LoadReportRequest(serialized: message)
      else {
        throw RPCError(
          code: .invalidArgument, message: "The request is no OrcaLoadReportRequest.")
      }
      let interval = max(request.interval, minimumInterval)
      return StreamingServerResponse { writer in
        while true {
          try await writer.write(load.report.serialized)
          try await clock.sleep(for: interval)
        }
      }
    }
  }
}

private struct PlainBytes: MessageSerializer, MessageDeserializer {
  func serialize<Bytes: GRPCContiguousBytes>(_ message: [UInt8]) throws -> Bytes {
    Bytes(message)
  }

  func deserialize<Bytes: GRPCContiguousBytes>(_ bytes: Bytes) throws -> [UInt8] {
    bytes.withUnsafeBytes { Array($0) }
  }
}
