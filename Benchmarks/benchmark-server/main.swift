import EventLoop
import GRPCCore
import GRPCHTTP2Transport

let address = try SocketAddress(parsing: CommandLine.arguments[2])
let transport = HTTP2ServerTransport(listeningOn: address, eventLoops: EventLoopGroup(count: 1))
var router = RPCRouter<HTTP2ServerTransport>()
router.add(MethodDescriptor(fullyQualifiedService: "bench.Echo", method: "Unary"), .unary { metadata, message, context in
  UnaryReply(metadata: [:], message: message, status: Status(code: .ok, message: ""), trailingMetadata: [:])
})
try await transport.listen(router: router)
