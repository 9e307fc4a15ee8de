import Glibc

/// The process's standard error.
package enum StandardError {
  /// Writes a text in one piece, so that the lines of several threads and processes do not mix. What
  /// cannot be written is dropped: there is nowhere to say so.
  package static func write(_ text: String) {
    StandardStream.write(text, to: STDERR_FILENO)
  }
}

/// The process's standard output.
package enum StandardOutput {
  /// Writes a text in one piece.
  package static func write(_ text: String) {
    StandardStream.write(text, to: STDOUT_FILENO)
  }
}

private enum StandardStream {
  static func write(_ text: String, to descriptor: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        return
      }
    }
  }
}
