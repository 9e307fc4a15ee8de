import CLinux
import Glibc

/// The process that runs this one and that this one is not to outlive.
package enum SupervisorProcess {
  /// The environment variable by which a supervisor tells its own process number.
  package static let variable = "KART_SUPERVISOR"

  /// Asks the kernel for a SIGTERM when the supervisor ends, however it ends, and ends the process where
  /// it has ended already. A process that no supervisor runs asks for nothing.
  ///
  /// - Parameter environment: The environment variables.
  package static func follow(environment: [String: String]) {
    guard let supervisor = environment[variable].flatMap({ pid_t($0) }) else { return }
    set_parent_death_signal(SIGTERM)
    // It may have ended before the kernel was asked; then another is the parent by now.
    if getppid() != supervisor { exit(0) }
  }
}
