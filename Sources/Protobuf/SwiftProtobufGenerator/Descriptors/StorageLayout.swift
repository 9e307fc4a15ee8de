/// Decides which fields are kept on the heap: those whose type contains the message they are in,
/// which Swift could not lay out, and large ones, which would make every copy dear.
///
/// Linear in the size of all messages, which may be many thousands.
struct StorageLayout: Sendable {
  /// The size beyond which a message inside of another goes to the heap, in bytes.
  private static let largeSize = 256

  /// The messages that contain each other, directly or through others, have one number; those that
  /// a message contains have lower ones, or its own.
  private var components: [String: Int] = [:]
  /// About how many bytes a value of a message takes without what is on the heap.
  private var sizes: [String: Int] = [:]

  init(_ messages: [String: MessageDescriptor]) {
    var search = ComponentSearch(messages)
    for name in messages.keys.sorted() { search.visit(name) }
    components = search.components
    for name in search.order {
      if let message = messages[name] { sizes[name] = size(of: message) }
    }
  }

  /// Whether a field with explicit presence or a oneof's member is kept on the heap.
  func isIndirect(_ field: FieldDescriptor, of message: MessageDescriptor) -> Bool {
    guard field.isMessage, field.cardinality != .repeated else { return false }
    return components[field.typeName] == components[message.fullName]
      || sizes[field.typeName, default: 0] > StorageLayout.largeSize
  }

  private func size(of message: MessageDescriptor) -> Int {
    var size = message.extensionRanges.isEmpty ? 8 : 16
    for field in message.fields where field.oneofIndex == nil {
      size += self.size(of: field, in: message)
    }
    for oneof in message.oneofs {
      size += oneof.fields.map { self.size(of: $0, in: message) }.max() ?? 0
    }
    return size
  }

  private func size(of field: FieldDescriptor, in message: MessageDescriptor) -> Int {
    if field.cardinality == .repeated { return 8 }
    if field.isMessage {
      return isIndirect(field, of: message) ? 8 : sizes[field.typeName, default: 0] + 8
    }
    switch field.proto.type {
    case .bool: return 1
    case .bytes: return 8
    case .float, .int32, .uint32, .sint32, .fixed32, .sfixed32: return 8
    default: return 16
    }
  }
}

/// Tarjan's search for the strongly connected components of "has a field that holds one", without
/// recursion, since messages may be nested deeper than the stack.
private struct ComponentSearch {
  private struct Visit {
    let name: String
    var left: ArraySlice<String>
  }

  private let messages: [String: MessageDescriptor]
  private var indices: [String: Int] = [:]
  private var lowest: [String: Int] = [:]
  private var stack: [String] = []
  private(set) var components: [String: Int] = [:]
  /// The messages, each behind those that it contains.
  private(set) var order: [String] = []

  init(_ messages: [String: MessageDescriptor]) {
    self.messages = messages
  }

  mutating func visit(_ name: String) {
    guard indices[name] == nil else { return }
    var visits = [begin(name)]
    while var visit = visits.popLast() {
      if let next = visit.left.popFirst() {
        visits.append(visit)
        if indices[next] == nil {
          visits.append(begin(next))
        } else if components[next] == nil {
          lower(visit.name, to: indices[next])
        }
      } else {
        if lowest[visit.name] == indices[visit.name] { close(visit.name) }
        if let outer = visits.last { lower(outer.name, to: lowest[visit.name]) }
      }
    }
  }

  private mutating func begin(_ name: String) -> Visit {
    lowest[name] = indices.count
    indices[name] = indices.count
    stack.append(name)
    let contained = messages[name]?.fields.filter { $0.isMessage && $0.cardinality != .repeated }
    return Visit(name: name, left: (contained?.map(\.typeName) ?? [])[...])
  }

  private mutating func lower(_ name: String, to index: Int?) {
    if let index, let old = lowest[name] { lowest[name] = min(old, index) }
  }

  private mutating func close(_ name: String) {
    let component = components.count
    while let member = stack.popLast() {
      components[member] = component
      order.append(member)
      if member == name { return }
    }
  }
}
