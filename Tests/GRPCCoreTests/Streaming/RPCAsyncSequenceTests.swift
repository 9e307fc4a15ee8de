import GRPCCore
import Testing

@Suite struct RPCAsyncSequenceTests {
  /// Has some elements at once and others only when it is waited for.
  private final class Source: RPCInboundSource<Int>, @unchecked Sendable {
    // `@unchecked` holds because a source is read by one task at a time.
    var steps: [Step]
    var waits = 0

    enum Step {
      case atOnce(Int)
      case later(Int)
      case failure(RPCError.Code)
    }

    init(_ steps: [Step]) { self.steps = steps }

    override func takeNext() throws -> Int?? {
      switch steps.first {
      case .atOnce(let element):
        steps.removeFirst()
        return element
      case .later: return nil
      case .failure(let code): throw RPCError(code: code, message: "")
      case nil: return .some(nil)
      }
    }

    override func next() async throws -> Int? {
      waits += 1
      guard case .later(let element) = steps.first else { return nil }
      steps.removeFirst()
      return element
    }
  }

  @Test func onlyWhatIsNotThereIsWaitedFor() async throws {
    let source = Source([.atOnce(1), .later(2), .atOnce(3), .atOnce(4)])
    var elements: [Int] = []
    for try await element in RPCAsyncSequence(source: source) { elements.append(element) }
    #expect(elements == [1, 2, 3, 4])
    #expect(source.waits == 1)
  }

  @Test func aFailureComesAfterWhatWasThere() async throws {
    let source = Source([.atOnce(1), .failure(.dataLoss)])
    var elements: [Int] = []
    let error = await #expect(throws: RPCError.self) {
      for try await element in RPCAsyncSequence(source: source) { elements.append(element) }
    }
    #expect(error?.code == .dataLoss)
    #expect(elements == [1])
    #expect(source.waits == 0)
  }
}
