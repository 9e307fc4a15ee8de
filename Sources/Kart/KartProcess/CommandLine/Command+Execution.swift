import EventLoop
import FoundationEssentials
import Glibc

extension Command {
  /// Runs the command line that the process was started with, and ends the process: status 0 when the
  /// command is done, 1 when it failed, 2 for a usage error, each of the last two with one sentence on
  /// standard error.
  ///
  /// The main thread only waits for signals: see `Termination`. An `await` in `main` would give it away to
  /// the runtime.
  package func runAndExit() -> Never {
    StandardStream.openMissing()
    // The first process of a container is given every orphan in it. Whoever ignores this signal has the
    // kernel bury them.
    signal(SIGCHLD, SIG_IGN)
    let environment = ProcessInfo.processInfo.environment
    SupervisorProcess.follow(environment: environment)
    Task(executorPreference: EventLoop(name: name)) {
      let status = await execute(
        Array(CommandLine.arguments.dropFirst()), environment: environment,
        output: { try StandardOutput.write($0) }, errors: { StandardError.write($0) })
      exit(status)
    }
    Termination.watch()
  }

  /// Runs a command line.
  ///
  /// - Parameters:
  ///   - arguments: The words after the command's own name.
  ///   - environment: The environment variables.
  ///   - output: Takes the help or the version where it is asked for.
  ///   - errors: Takes the sentence for a failure.
  /// - Returns: The exit status.
  package func execute(
    _ arguments: [String], environment: [String: String], output: (String) throws -> Void,
    errors: (String) -> Void
  ) async -> Int32 {
    do {
      switch try parse(arguments, environment: environment) {
      case .answer(let text):
        try output(text)
      case .run(let command, let arguments):
        try await command.run(arguments)
      }
      return 0
    } catch let error as UsageError {
      errors("\(Self.displayed(error))\n")
      return 2
    } catch let error as StandardOutputError where error.code == EPIPE {
      // Who read it has had enough, as `head` has. The status is that of a process that SIGPIPE ended.
      return 128 + SIGPIPE
    } catch {
      errors("\(name): \(Self.displayed(error))\n")
      return 1
    }
  }

  // What a service or a file says is in the sentence, which may end up on a terminal.
  private static func displayed(_ error: any Error) -> String {
    "\(error)".split(separator: "\n", omittingEmptySubsequences: false)
      .map { String($0).escapedForDisplay }.joined(separator: "\n")
  }
}
