import GRPCCore

/// What a server does for one path.
final class ServerRoute: Sendable {
  /// `RPCRoute` with its types filled in: a closure taken out of the generic one is wrapped anew
  /// each time.
  enum Handler: Sendable {
    case unary(@Sendable (Metadata, [UInt8], ServerContext) async -> UnaryReply<[UInt8]>)
    case streaming(
      @Sendable (RPCStream<ServerInbound.Stream, ServerOutbound.Stream>, ServerContext) async ->
        Void)
  }

  let descriptor: MethodDescriptor
  let handler: Handler
  fileprivate let path: [UInt8]

  init(_ descriptor: MethodDescriptor, _ route: RPCRoute<[UInt8]>) {
    self.descriptor = descriptor
    handler =
      switch route {
      case .unary(let handler): .unary(handler)
      case .streaming(let handler): .streaming(handler)
      }
    path = Array("/\(descriptor.service.fullyQualifiedService)/\(descriptor.method)".utf8)
  }
}

/// A server's routes, found by the bytes of a `:path`: an open-addressing hash table that does
/// not change once it is made.
struct ServerRoutes: Sendable {
  private let slots: [ServerRoute?]
  private let mask: Int
  private let services: Set<String>

  init<Transport: ServerTransport>(
    _ router: RPCRouter<Transport>
  ) where Transport.Bytes == [UInt8] {
    let routes = router.methods.compactMap { method in
      router.route(forMethod: method).map { ServerRoute(method, $0) }
    }
    var capacity = 8
    while capacity < 2 * routes.count { capacity *= 2 }
    mask = capacity - 1
    var slots = [ServerRoute?](repeating: nil, count: capacity)
    for route in routes {
      var slot = route.path.withUnsafeBufferPointer(Self.hash) & mask
      while slots[slot] != nil { slot = (slot + 1) & mask }
      slots[slot] = route
    }
    self.slots = slots
    services = Set(routes.map(\.descriptor.service.fullyQualifiedService))
  }

  func route(_ path: UnsafeBufferPointer<UInt8>) -> ServerRoute? {
    var slot = Self.hash(path) & mask
    while let route = slots[slot] {
      if path.equals(route.path) { return route }
      slot = (slot + 1) & mask
    }
    return nil
  }

  /// What to answer to a path that has no route.
  func status(forUnknown path: UnsafeBufferPointer<UInt8>) -> Status {
    let text = String(decoding: path, as: UTF8.self)
    guard text.first == "/", let slash = text.lastIndex(of: "/"), slash != text.startIndex else {
      return Status(
        code: .unimplemented, message: "The path “\(text)” is not of the form /SERVICE/METHOD.")
    }
    let service = text[text.index(after: text.startIndex)..<slash]
    let method = text[text.index(after: slash)...]
    return Status(
      code: .unimplemented,
      message: services.contains(String(service))
        ? "The service “\(service)” has no method “\(method)”."
        : "There is no service “\(service)” here.")
  }

  /// FNV-1a.
  private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return Int(truncatingIfNeeded: hash ^ hash >> 32)
  }
}
