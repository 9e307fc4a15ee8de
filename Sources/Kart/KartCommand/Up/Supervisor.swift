import EventLoop
import Glibc
import KartProcess

/// Runs the processes of the mesh on an event loop: starts them, starts again what dies, and ends
/// them all.
actor Supervisor {
  /// A process that ended by itself, with a status that says it will not do better next time.
  struct Refusal: Error, Hashable, CustomStringConvertible {
    var name: String
    var status: ExitStatus
    /// The last thing it said.
    var lastLine: String

    var description: String {
      "\(name) \(status)" + (lastLine.isEmpty ? "" : ": \(lastLine)")
    }
  }

  /// A spawned process, watched by the loop.
  private struct Child {
    let process: MeshProcess
    var life = ChildLife()
    var running: RunningProcess?
    var exit: DescriptorRegistration?
    var output: DescriptorRegistration?
    var lines: ChildLines
  }

  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private let environment: [String: String]
  private let inherited: Int32
  private let grace: Duration
  private let log: Log
  private let forward: @Sendable (String) -> Void
  private var children: [Child]
  private var isStarting = true
  private var refusal: Refusal?
  private var onStopped: CheckedContinuation<Void, Never>?
  private var childSignals: SignalSource?

  /// Makes a supervisor, which starts nothing yet.
  ///
  /// - Parameters:
  ///   - processes: What to run.
  ///   - environment: The environment variables of all of them.
  ///   - inherited: A descriptor that stays open in all of them.
  ///   - loop: Where the supervisor lives. Its thread is the parent that the children watch, so it
  ///     must live as long as this process.
  ///   - grace: The time the processes have to end by themselves before they are killed.
  ///   - log: Where deaths are told.
  ///   - format: How the children write their lines, each of which is made to tell the child's name.
  ///   - forward: Takes the lines of the children.
  init(
    _ processes: [MeshProcess], environment: [String: String], inherited: Int32, loop: EventLoop,
    grace: Duration = .milliseconds(1500), log: Log, format: Log.Format,
    forward: @escaping @Sendable (String) -> Void
  ) {
    self.environment = environment.merging(
      [SupervisorProcess.variable: "\(getpid())"], uniquingKeysWith: { $1 })
    self.grace = grace
    self.inherited = inherited
    self.loop = loop
    self.log = log
    self.forward = forward
    let width = processes.map(\.name.count).max() ?? 0
    children = processes.map { process in
      let margin = String(repeating: " ", count: width - process.name.count)
      let mark: ChildLines.Mark =
        switch format {
        case .text: .prefix("\(process.name)\(margin) | ")
        case .json: .field(process: process.name)
        }
      return Child(process: process, lines: ChildLines(marked: mark))
    }
  }

  /// Starts all of them. SIGCHLD must be blocked in every thread.
  func start() {
    childSignals = try? SignalSource([SIGCHLD], on: loop) { [unowned self] _ in
      assumeIsolated { $0.buryOrphans() }
    }
    for index in children.indices { spawn(index) }
  }

  /// Throws when a process refused to work before the mesh was declared started.
  func checkStart() throws(Refusal) {
    if let refusal { throw refusal }
  }

  /// From now on a process that ends is started again, whatever its status.
  func declareStarted() {
    isStarting = false
  }

  /// Ends all of them: asks first, and kills what is left when the grace is over. Returns when none
  /// is left.
  func stop() async {
    for index in children.indices { perform(children[index].life.stop(), on: index) }
    let timer = loop.schedule(after: grace) { self.assumeIsolated { $0.endGrace() } }
    await withCheckedContinuation { continuation in
      onStopped = continuation
      resumeIfStopped()
    }
    timer.cancel()
    childSignals?.close()
  }

  private func endGrace() {
    for index in children.indices { perform(children[index].life.graceEnded(), on: index) }
  }

  private func perform(_ action: ChildLife.Action?, on index: Int) {
    switch action {
    case .spawn:
      spawn(index)
    case .wait(let wait):
      loop.schedule(after: wait) {
        self.assumeIsolated { $0.perform($0.children[index].life.waitEnded(), on: index) }
      }
    case .terminate:
      children[index].running?.signal(SIGTERM)
      // A stopped process does not see the signal before it goes on.
      children[index].running?.signal(SIGCONT)
    case .kill:
      log.warning("killing", ["process": .text(children[index].process.name)])
      children[index].running?.signal(SIGKILL)
    case nil:
      break
    }
  }

  private func spawn(_ index: Int) {
    let process = children[index].process
    do throws(SystemError) {
      let running = try RunningProcess(
        starting: process, environment: environment, inherited: inherited)
      children[index].running = running
      children[index].life.started(at: .now)
      children[index].output = try loop.register(
        running.outputDescriptor, for: .readable,
        handler: DescriptorWatch { [unowned self] in assumeIsolated { $0.readOutput(of: index) } })
      children[index].exit = try loop.register(
        running.exitDescriptor, for: .readable,
        handler: DescriptorWatch { [unowned self] in assumeIsolated { $0.reap(index) } })
      log.debug(
        "started", ["process": .text(process.name), "pid": LogValue(running.id)])
    } catch {
      // What was started but cannot be watched has to go; the next try is made in a while.
      children[index].running?.killAndReap()
      log.error("not started", ["process": .text(process.name), "error": .describing(error)])
      note(.exited(127), "\(error)", of: index)
      finish(index)
    }
  }

  private func reap(_ index: Int) {
    guard let status = children[index].running?.reap() else { return }
    readOutput(of: index)
    let lastLine = children[index].lines.last
    if let rest = children[index].lines.finish() { forward(rest) }
    note(status, lastLine, of: index)
    finish(index, status)
    // There may be one behind this child.
    buryOrphans()
  }

  // The first process of a container is given the orphans there. Elsewhere the process may have children
  // that others wait for.
  private func buryOrphans() {
    guard getpid() == 1 else { return }
    let own = Set(children.compactMap { $0.running?.id })
    while let id = RunningProcess.firstEnded(), !own.contains(id) {
      waitpid(id, nil, WNOHANG)
    }
  }

  // Keeps the first refusal of the start: an exit status of its own choice, not a signal.
  private func note(_ status: ExitStatus, _ lastLine: String, of index: Int) {
    guard isStarting, refusal == nil, case .exited = status else { return }
    refusal = Refusal(name: children[index].process.name, status: status, lastLine: lastLine)
  }

  private func finish(_ index: Int, _ status: ExitStatus? = nil) {
    release(index)
    let action = children[index].life.exited(at: .now)
    if case .wait(let wait) = action, let status {
      log.warning(
        "a process \(status); starting it again",
        ["process": .text(children[index].process.name), "after_ms": LogValue(milliseconds: wait)])
    }
    perform(action, on: index)
    resumeIfStopped()
  }

  private func release(_ index: Int) {
    if let registration = children[index].output { loop.deregister(registration) }
    if let registration = children[index].exit { loop.deregister(registration) }
    if let running = children[index].running {
      close(running.outputDescriptor)
      close(running.exitDescriptor)
    }
    children[index].output = nil
    children[index].exit = nil
    children[index].running = nil
  }

  private func readOutput(of index: Int) {
    guard let descriptor = children[index].running?.outputDescriptor else { return }
    while true {
      var count = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: 16 << 10) { buffer, initialized in
        count = read(descriptor, buffer.baseAddress, buffer.count)
        initialized = max(0, count)
      }
      guard count > 0 else {
        // The end comes when the process has closed its output, which may be before it ends.
        if count == 0, let registration = children[index].output {
          loop.deregister(registration)
          children[index].output = nil
        }
        return
      }
      if let text = children[index].lines.append(bytes) { forward(text) }
    }
  }

  private func resumeIfStopped() {
    guard children.allSatisfy(\.life.hasStopped), let onStopped else { return }
    self.onStopped = nil
    onStopped.resume()
  }
}
