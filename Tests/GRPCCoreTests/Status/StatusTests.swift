import GRPCCore
import Testing

@Suite struct StatusTests {
  @Test func everyCodeHasItsNumberAndItsNameInTheSpecification() {
    let names = [
      "OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND",
      "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
      "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS",
      "UNAUTHENTICATED",
    ]
    #expect((0...16).map { Status.Code(rawValue: $0)?.description } == names)
    #expect(Status.Code(rawValue: -1) == nil)
    #expect(Status.Code(rawValue: 17) == nil)
  }

  @Test func okHasNoMessageAndIsNoError() {
    #expect(Status(code: .ok, message: "fine").message == "")
    #expect(RPCError(status: Status(code: .ok, message: "")) == nil)
    #expect(RPCError.Code(.ok) == nil)
  }

  @Test func anErrorIsThatOfItsStatus() throws {
    let status = Status(code: .notFound, message: "no race")
    let error = try #require(RPCError(status: status, metadata: ["k": "v"]))
    #expect(error == RPCError(code: .notFound, message: "no race", metadata: ["k": "v"]))
    #expect(Status(error) == status)
    #expect("\(status)" == "NOT_FOUND: no race")
  }
}
