import GRPCCore
import KartTesting
import Synchronization
import Testing

@Suite struct RPCCancellationHandleTests {
  private typealias Handle = ServerContext.RPCCancellationHandle

  private func context(_ handle: Handle) -> ServerContext {
    ServerContext(
      descriptor: TextMethods.unary, remotePeer: "", localPeer: "", cancellation: handle)
  }

  @Test func tellsTheTransportOnce() {
    let count = Mutex(0)
    let handle = Handle { count.withLock { $0 += 1 } }
    #expect(!handle.isCancelled)
    handle.cancel()
    handle.cancel()
    #expect(handle.isCancelled)
    #expect(count.withLock { $0 } == 1)
  }

  @Test func returnsWhenTheCallIsCancelled() async throws {
    let handle = Handle()
    async let first: Void = handle.cancelled
    async let second: Void = handle.cancelled
    handle.cancel()
    _ = try await (first, second)
    try await handle.cancelled
  }

  @Test func throwsWhenTheTaskIsCancelled() async {
    let handle = Handle()
    let waiting = Task { try await handle.cancelled }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }

  @Test func callsAHandlerWhileItsOperationRuns() async {
    let handle = Handle()
    let called = Mutex<[Int]>([])
    await ServerContext.$current.withValue(context(handle)) {
      await withRPCCancellationHandler {
      } onCancelRPC: {
        Issue.record("This operation is over.")
      }
      await withRPCCancellationHandler {
        await withRPCCancellationHandler {
          handle.cancel()
        } onCancelRPC: {
          called.withLock { $0.append(2) }
        }
      } onCancelRPC: {
        called.withLock { $0.append(1) }
      }
      #expect(called.withLock { $0 } == [1, 2])
      await withRPCCancellationHandler {
      } onCancelRPC: {
        called.withLock { $0.append(3) }
      }
    }
    #expect(called.withLock { $0 } == [1, 2, 3])
  }

  @Test func isOfNoEffectOutsideAHandler() async {
    let result = await withRPCCancellationHandler {
      1
    } onCancelRPC: {
      Issue.record("There is no call.")
    }
    #expect(result == 1)
  }
}
