import EventLoop
import GRPCCore
import Glibc
import Testing

@testable import KartProcess

@Suite struct CannotListenTests {
  @Test(arguments: [
    (EADDRINUSE, "ipv4:0.0.0.0:80 is in use: stop what listens there"),
    (EACCES, "it may not listen (bind ipv4:0.0.0.0:80: Permission denied): let this user"),
    (ENOENT, "make the folder, or name another address with --listen"),
    (EADDRNOTAVAIL, "it cannot listen (bind ipv4:0.0.0.0:80: "),
  ])
  func theCauseIsToldWithItsMend(code: Int32, words: String) throws {
    let cause = SystemError("bind", "ipv4:0.0.0.0:80", code: code)
    let error = RuntimeError(code: .transportError, message: "It failed.", cause: cause)
    for error in [cause, error] as [any Error] {
      let sentence = try #require(CannotListen(error)).description
      #expect(sentence.contains(words))
    }
  }

  @Test func otherErrorsAreLeftAsTheyAre() {
    #expect(CannotListen(CancellationError()) == nil)
    #expect(CannotListen(RuntimeError(code: .serverIsStopped, message: "It is.")) == nil)
  }
}
