import KartProcess

/// Output for programs.
enum JSONOutput {
  static let option = Option<Bool>.flag(
    "json", help: "Prints one JSON object a line, for programs.")
}
