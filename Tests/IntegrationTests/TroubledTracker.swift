import GRPCCore
import GRPCHTTP2Transport
import KartAPI

/// A replica of the tracker service, of whose methods one is in trouble. What it answers it has from another replica.
struct TroubledTracker: RegistrableRPCService {
  private typealias Telemetry = Swiftkart_Telemetry_V1_RaceTelemetryService
  private typealias Events = Swiftkart_Relay_V1_RaceEventService

  enum Method: CaseIterable, Sendable {
    case subscribe
    case record
  }

  let replica: TroubledReplica
  let troubled: Method
  let source: GRPCClient<HTTP2ClientTransport>

  func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
    register(
      Events.Method.Subscribe.descriptor, with: &router,
      in: troubled == .subscribe ? replica : nil)
    register(
      Telemetry.Method.Record.descriptor, with: &router, in: troubled == .record ? replica : nil)
    register(Telemetry.Method.GetProgress.descriptor, with: &router, in: nil)
  }

  private func register<Transport: ServerTransport>(
    _ method: MethodDescriptor, with router: inout RPCRouter<Transport>,
    in replica: TroubledReplica?
  ) {
    router.registerHandler(
      forMethod: method, deserializer: SerializedMessages(), serializer: SerializedMessages()
    ) { [source] request, _ in
      try await replica?.takeCall()
      return StreamingServerResponse { writer in
        try await source.bidirectionalStreaming(
          request: StreamingClientRequest(of: [UInt8].self) { requests in
            for try await message in request.messages { try await requests.write(message) }
          },
          descriptor: method, serializer: SerializedMessages(), deserializer: SerializedMessages(),
          options: .defaults
        ) { response in
          for try await message in response.messages {
            try await replica?.goOn()
            try await writer.write(message)
          }
        }
        return [:]
      }
    }
  }
}
