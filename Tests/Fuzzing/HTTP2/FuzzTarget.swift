import Glibc

// What libFuzzer calls with each input, see Scripts/fuzz-http2.sh: a peer's bytes on one connection,
// which the server's or the client's real connection takes off a socket, as FUZZ_SIDE says. Whatever
// they are, the connection ends, and so do its calls and handlers.

private enum FuzzSide: String {
  case server, client
}

private let side = FuzzSide(rawValue: getenv("FUZZ_SIDE").map { String(cString: $0) } ?? "")
private let server = FuzzedServer()
private let client = FuzzedClient()

/// Takes one input: libFuzzer finds it by its C name.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = [UInt8](UnsafeBufferPointer(start: start, count: count))
  switch side {
  case .server: server.run(PeerBytes(input, of: .client))
  case .client: client.run(PeerBytes(input, of: .server))
  case nil: fatalError("set FUZZ_SIDE to server or client")
  }
  return 0
}
