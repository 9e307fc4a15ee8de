import GRPCCore

/// What a server does for one path.
final class ServerRoute: Sendable {
  let descriptor: MethodDescriptor
  let handler: RPCRoute
  /// Whether the server has the method by name; if not, the name is what a client chose.
  let isListed: Bool
  fileprivate let path: [UInt8]

  init(_ descriptor: MethodDescriptor, _ handler: RPCRoute, isListed: Bool) {
    self.descriptor = descriptor
    self.handler = handler
    self.isListed = isListed
    path = Array("/\(descriptor.fullyQualifiedMethod)".utf8)
  }
}

/// A server's routes, found by the bytes of a `:path`: an open-addressing hash table that does
/// not change once it is made.
struct ServerRoutes: Sendable {
  private let slots: [ServerRoute?]
  private let mask: Int
  private let services: Set<String>
  /// What handles the methods that are not in the table.
  private let fallback: RPCRoute?

  init(_ router: RPCRouter<HTTP2ServerTransport>) {
    let routes = router.methods.compactMap { method -> ServerRoute? in
      router.route(forMethod: method).map { ServerRoute(method, $0, isListed: true) }
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
    fallback = nil
  }

  /// Routes every method to one handler.
  init(everythingTo handler: RPCRoute) {
    slots = [nil]
    mask = 0
    services = []
    fallback = handler
  }

  func route(_ path: UnsafeBufferPointer<UInt8>) -> ServerRoute? {
    var slot = Self.hash(path) & mask
    while let route = slots[slot] {
      if path.equals(route.path) { return route }
      slot = (slot + 1) & mask
    }
    return fallback.flatMap { handler in
      Self.descriptor(path).map { ServerRoute($0, handler, isListed: false) }
    }
  }

  /// What to answer to a path that has no route.
  func status(forUnknown path: UnsafeBufferPointer<UInt8>) -> Status {
    guard let descriptor = Self.descriptor(path) else {
      return Status(
        code: .unimplemented,
        message:
          "The path “\(Self.excerpt(String(decoding: path, as: UTF8.self)))” is not of the form "
          + "/SERVICE/METHOD.")
    }
    let service = descriptor.service.fullyQualifiedService
    return Status(
      code: .unimplemented,
      message: services.contains(service)
        ? "The service “\(service)” has no method “\(Self.excerpt(descriptor.method))”."
        : "There is no service “\(Self.excerpt(service))” here.")
  }

  /// The beginning of a name that a client sent. Many clients refuse trailers of more than 8 KiB.
  private static func excerpt(_ name: String) -> String {
    let limit = 200
    return name.utf8.count <= limit
      ? name : String(decoding: name.utf8.prefix(limit), as: UTF8.self) + "…"
  }

  private static func descriptor(_ path: UnsafeBufferPointer<UInt8>) -> MethodDescriptor? {
    let text = String(decoding: path, as: UTF8.self)
    guard text.first == "/", let slash = text.lastIndex(of: "/"), slash != text.startIndex else {
      return nil
    }
    return MethodDescriptor(
      fullyQualifiedService: String(text[text.index(after: text.startIndex)..<slash]),
      method: String(text[text.index(after: slash)...]))
  }

  /// FNV-1a.
  private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return Int(truncatingIfNeeded: hash ^ hash >> 32)
  }
}
