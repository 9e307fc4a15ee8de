/// The version of this package, which all of its executables have in common.
package enum SwiftKartVersion {
  /// As `--version` shows it, after the name of the command.
  package static let text = "1.0"
}
