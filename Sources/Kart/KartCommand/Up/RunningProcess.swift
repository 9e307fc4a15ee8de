import CLinux
import EventLoop
import Glibc

/// A process that `posix_spawn` started: the binding of the calls that a supervisor needs.
struct RunningProcess: Sendable {
  let id: pid_t
  /// Becomes readable when the process ends.
  let exitDescriptor: Int32
  /// Where what it writes to standard output and standard error comes in.
  let outputDescriptor: Int32

  /// Starts a process with no input.
  ///
  /// - Parameters:
  ///   - process: What to run.
  ///   - environment: Its environment variables.
  ///   - inherited: A descriptor that stays open in it, under the same number.
  /// - Throws: `SystemError` where it cannot be started.
  init(
    starting process: MeshProcess, environment: [String: String], inherited: Int32
  ) throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SystemError("pipe") }
    let (reading, writing) = (ends[0], ends[1])
    // The child's own copy is made by the spawn's actions, so neither end is to go along as it is.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(reading, F_SETFL, O_NONBLOCK)
    defer { close(writing) }
    do {
      id = try Self.spawn(
        process, environment: environment, output: writing, inherited: inherited)
    } catch {
      close(reading)
      throw error
    }
    outputDescriptor = reading
    exitDescriptor = pidfd_open(id, 0)
    guard exitDescriptor >= 0 else {
      let error = SystemError("pidfd_open", process.name)
      killAndReap()
      close(reading)
      throw error
    }
  }

  /// Ends it at once, and waits for that.
  func killAndReap() {
    kill(id, SIGKILL)
    waitpid(id, nil, 0)
  }

  /// Sends it a signal. It must not have been reaped.
  func signal(_ number: Int32) {
    kill(id, number)
  }

  /// How it ended, which may be asked once; nil while it runs.
  func reap() -> ExitStatus? {
    var status: Int32 = 0
    return waitpid(id, &status, WNOHANG) == id ? ExitStatus(waitStatus: status) : nil
  }

  /// A child that has ended and was not reaped, whoever started it; nil if there is none.
  static func firstEnded() -> pid_t? {
    var info = siginfo_t()
    guard waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 else { return nil }
    let id = info._sifields._sigchld.si_pid
    return id > 0 ? id : nil
  }

  private static func spawn(
    _ process: MeshProcess, environment: [String: String], output: Int32, inherited: Int32
  ) throws(SystemError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO)
    // Onto itself: keeps it open.
    posix_spawn_file_actions_adddup2(&actions, inherited, inherited)
    // A loop's thread has all signals blocked, which a child would inherit.
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    // A group of its own, so that Ctrl-C in the terminal reaches the supervisor alone.
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
    // C strings that live until the call is over.
    var arguments = ([process.executable] + process.arguments).map { strdup($0) }
    var variables = environment.map { strdup("\($0.key)=\($0.value)") }
    defer { (arguments + variables).forEach { free($0) } }
    arguments.append(nil)
    variables.append(nil)
    var id = pid_t()
    let code = posix_spawn(
      &id, process.executable, &actions, &attributes, arguments, variables)
    guard code == 0 else { throw SystemError("posix_spawn", process.executable, code: code) }
    return id
  }
}
