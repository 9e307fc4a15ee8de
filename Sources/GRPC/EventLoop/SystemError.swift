import Glibc

/// A system call that failed.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The system call, for example `bind`.
  public var call: String
  /// The value of `errno` it left.
  public var code: Int32
  /// What the call was about, for example the address; empty when there is nothing to say.
  public var subject: String

  /// Makes an error from a call's name and an error number, by default the thread's `errno`.
  ///
  /// - Parameters:
  ///   - call: The system call that failed.
  ///   - subject: What it was applied to.
  ///   - code: The error number.
  public init(_ call: String, _ subject: String = "", code: Int32 = errno) {
    self.call = call
    self.code = code
    self.subject = subject
  }

  /// The call, its subject and the system's words for the error.
  public var description: String {
    var text = [CChar](repeating: 0, count: 128)
    _ = strerror_r(code, &text, text.count)
    let end = text.firstIndex(of: 0) ?? text.endIndex
    let reason = String(decoding: text[..<end].map(UInt8.init(bitPattern:)), as: UTF8.self)
    return subject.isEmpty ? "\(call): \(reason)" : "\(call) \(subject): \(reason)"
  }
}
