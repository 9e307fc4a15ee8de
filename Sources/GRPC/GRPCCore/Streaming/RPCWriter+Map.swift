/// Turns each element into another before it is written.
struct MappingWriter<Base: RPCWriterProtocol, Element: Sendable>: RPCWriterProtocol {
  let base: Base
  let transform: @Sendable (Element) throws -> Base.Element

  func write(_ element: Element) async throws {
    try await base.write(try transform(element))
  }

  func write(contentsOf elements: some Sequence<Element>) async throws {
    try await base.write(contentsOf: try elements.map(transform))
  }

  func write(_ element: Element, options: WriteOptions) async throws {
    try await base.write(try transform(element), options: options)
  }
}
