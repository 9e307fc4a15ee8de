/// A name of a race or of a producer, told apart from others by its bytes, as the databases do. Swift's
/// strings are equal already where they are canonically equivalent, so that a collection of them would
/// take two races for one.
package struct ExactName: Sendable, Hashable {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }

  package static func == (one: ExactName, other: ExactName) -> Bool {
    one.text.utf8.elementsEqual(other.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}
