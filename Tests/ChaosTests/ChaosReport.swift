import Foundation
import Synchronization

/// What a run of chaos has come to, as one table.
final class ChaosReport: Sendable {
  private struct State {
    var faults: [Fault: Int] = [:]
    var reads = 0
    var failures: [String] = []
    var slowest = Duration.zero
    var rows: [(String, String)] = []
  }

  private let state = Mutex(State())

  func didInflict(_ fault: Fault) { state.withLock { $0.faults[fault, default: 0] += 1 } }

  func didRead(in time: Duration) {
    state.withLock { state in
      state.reads += 1
      state.slowest = max(state.slowest, time)
    }
  }

  func readFailed(_ error: any Error) { state.withLock { $0.failures.append("\(error)") } }

  func add(_ name: String, _ value: String) { state.withLock { $0.rows.append((name, value)) } }

  var failures: [String] { state.withLock { $0.failures } }
  var reads: Int { state.withLock { $0.reads } }

  /// The table, in Markdown.
  var text: String {
    let state = state.withLock { $0 }
    var rows = Fault.allCases.map { ("processes \($0.rawValue)", "\(state.faults[$0] ?? 0)") }
    rows += [
      ("reads", "\(state.reads)"), ("reads that failed", "\(state.failures.count)"),
      ("slowest read", "\(state.slowest)"),
    ]
    rows += state.rows
    return "| | |\n| --- | ---: |\n" + rows.map { "| \($0.0) | \($0.1) |\n" }.joined()
  }
}
