/// A command line that asks for something that cannot be: the process says so and exits with status 2.
package struct UsageError: Error, Hashable, CustomStringConvertible {
  /// One sentence that names the thing and the mend.
  package var description: String

  package init(_ description: String) {
    self.description = description
  }
}
