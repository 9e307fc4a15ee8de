import GRPCCore
import Testing

@Suite struct ServerContextTests {
  private struct Specific: ServerContext.TransportSpecific {}

  @Test func aCopyIsOfItsOwn() {
    let original = ServerContext(
      descriptor: TextMethods.unary, remotePeer: "ipv4:127.0.0.1:1", localPeer: "unix:/here",
      cancellation: ServerContext.RPCCancellationHandle())
    var copy = original
    copy.remotePeer = "ipv4:127.0.0.1:2"
    copy.localPeer = "unix:/there"
    copy.peer = .virtualMachine(contextID: 3)
    copy.transportSpecific = Specific()

    #expect(original.remotePeer == "ipv4:127.0.0.1:1" && original.localPeer == "unix:/here")
    #expect(original.peer == nil && original.transportSpecific == nil)
    #expect(copy.remotePeer == "ipv4:127.0.0.1:2" && copy.localPeer == "unix:/there")
    #expect(copy.peer == .virtualMachine(contextID: 3) && copy.transportSpecific is Specific)
  }
}
