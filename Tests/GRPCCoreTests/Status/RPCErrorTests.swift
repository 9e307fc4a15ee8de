import GRPCCore
import Testing

@Suite struct RPCErrorTests {
  private struct Cause: Error {}

  @Test func aCauseOfTheSameCodeIsFoldedIn() {
    let inner = RPCError(
      code: .unavailable, message: "No connection.", metadata: ["a": "1"], cause: Cause())
    let outer = RPCError(
      code: .unavailable, message: "No schedule.", metadata: ["b": "2"], cause: inner)
    #expect(outer.message == "No schedule. No connection.")
    #expect(outer.metadata == ["b": "2", "a": "1"])
    #expect(outer.cause is Cause)
  }

  @Test func aCauseOfAnotherCodeIsKept() {
    let inner = RPCError(code: .unavailable, message: "No connection.")
    let outer = RPCError(code: .internalError, message: "No schedule.", cause: inner)
    #expect(outer.message == "No schedule.")
    #expect(outer.cause as? RPCError == inner)
    #expect("\(outer)" == "INTERNAL: No schedule. (cause: UNAVAILABLE: No connection.)")
  }

  @Test func errorsAreComparedWithoutTheirCause() {
    let error = RPCError(code: .aborted, message: "x")
    #expect(error == RPCError(code: .aborted, message: "x", cause: Cause()))
    #expect(error.hashValue == RPCError(code: .aborted, message: "x", cause: Cause()).hashValue)
    #expect(error != RPCError(code: .aborted, message: "y"))
    #expect(error != RPCError(code: .unknown, message: "x"))
    #expect(error != RPCError(code: .aborted, message: "x", metadata: ["k": "v"]))
  }

  @Test func runtimeErrorsSayWhatTheyAre() {
    let error = RuntimeError(code: .clientIsStopped, message: "Stopped.", cause: Cause())
    #expect(error == RuntimeError(code: .clientIsStopped, message: "Stopped."))
    #expect(error.code.description == "clientIsStopped")
    #expect("\(error)" == "Stopped. (Cause())")
  }
}
