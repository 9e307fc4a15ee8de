extension Span where Element: ~Copyable {
  /// Lends an element to `body`. An element taken by subscript would be copied first, with a retain
  /// and a release for each reference in it; of a type that might not be copyable it can't be.
  @inlinable
  @inline(__always)
  func lend<State: ~Copyable & ~Escapable>(
    _ index: Int, _ state: inout State, _ body: (borrowing Element, inout State) -> Void
  ) {
    body(self[index], &state)
  }
}
