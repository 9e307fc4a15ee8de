import GRPCCore
import KartAPI
import Synchronization

/// Many calls of `ListRaces`, so many at a time.
struct RaceLoad<Transport: ClientTransport>: Sendable {
  /// When the load ends.
  enum Extent: Hashable, Sendable {
    case calls(Int)
    case time(Duration)
  }

  /// What came of it.
  struct Report: Sendable {
    /// The latencies of the calls that succeeded; nil for none.
    var latencies: LatencySummary?
    /// How many calls failed, by the kind of failure.
    var failures: [RPCError.Code: Int]
    var elapsed: Duration

    /// The lines that `kart load` prints.
    var text: String {
      var text = ""
      if let latencies {
        let rate = Double(latencies.count) / max(elapsed / .seconds(1), 1e-9)
        text += "\(latencies.count) calls in \(FixedPoint.seconds(elapsed)) s: "
        text += "\(FixedPoint.text(rate, decimals: 0)) calls/s\n"
        text += "latency: \(latencies.text)\n"
      }
      for (code, count) in failures.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
        text += "\(count) calls failed: \(code)\n"
      }
      return text
    }
  }

  var service: SwiftKartService.Client<Transport>
  var request: ListRacesRequest
  var options: CallOptions
  /// How many calls are made at a time.
  var concurrency: Int
  var extent: Extent

  /// Makes the calls, until there were enough of them or the task is cancelled.
  func run() async -> Report {
    let turns = Turns(extent)
    let results = await withTaskGroup(of: Result.self) { group in
      for _ in 0..<concurrency {
        group.addTask { await work(turns) }
      }
      return await group.reduce(into: Result()) { $0.add($1) }
    }
    return Report(
      latencies: LatencySummary(nanoseconds: results.latencies), failures: results.failures,
      elapsed: .now - turns.started)
  }

  /// Whose turn it is to make the next call, of however many there will be.
  private final class Turns: Sendable {
    let started = ContinuousClock.now
    private let extent: Extent
    private let taken = Atomic<Int>(0)

    init(_ extent: Extent) {
      self.extent = extent
    }

    func take() -> Bool {
      switch extent {
      case .calls(let count): taken.add(1, ordering: .relaxed).oldValue < count
      case .time(let time): .now - started < time
      }
    }
  }

  private struct Result: Sendable {
    var latencies: [Int64] = []
    var failures: [RPCError.Code: Int] = [:]

    mutating func add(_ other: Result) {
      latencies += other.latencies
      failures.merge(other.failures, uniquingKeysWith: +)
    }
  }

  private func work(_ turns: Turns) async -> Result {
    var result = Result()
    while turns.take(), !Task.isCancelled {
      let begun = ContinuousClock.now
      do {
        _ = try await service.listRaces(request, options: options)
        result.latencies.append(Int64((ContinuousClock.now - begun) / .nanoseconds(1)))
      } catch {
        // Interrupted, not failed.
        if Task.isCancelled { break }
        result.failures[(error as? RPCError)?.code ?? .unknown, default: 0] += 1
      }
    }
    return result
  }
}
