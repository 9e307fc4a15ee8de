/// What was not as a case wants it.
package struct InteropFailure: Error, CustomStringConvertible {
  /// A sentence.
  package var description: String

  init(_ description: String) { self.description = description }
}

/// Fails a case unless something is as it wants it.
func check(_ isSo: Bool, _ message: @autoclosure () -> String) throws(InteropFailure) {
  if !isSo { throw InteropFailure(message()) }
}

/// Fails a case unless two values are the same.
func checkEqual<Value: Equatable>(
  _ value: Value, _ expected: Value, _ what: String
) throws(InteropFailure) {
  if value != expected { throw InteropFailure("\(what) is \(value), and should be \(expected).") }
}
