import SwiftProtobuf

/// Decides which fields are kept on the heap: those whose type contains the message they are in,
/// which Swift could not lay out, and large ones, which would make every copy dear.
struct StorageLayout {
  /// The size beyond which a message inside of another goes to the heap, in bytes.
  private static let largeSize = 256

  private let pool: DescriptorPool

  init(pool: DescriptorPool) {
    self.pool = pool
  }

  /// Whether a field with explicit presence or a oneof's member is kept on the heap.
  func isIndirect(_ field: FieldDescriptor, of message: MessageDescriptor) throws -> Bool {
    guard field.isMessage, field.cardinality != .repeated else { return false }
    let type = try pool.message(field.typeName)
    return try reaches(message.fullName, from: type)
      || size(of: type) > StorageLayout.largeSize
  }

  /// Whether values of `type` contain the message `name`, over fields that hold one value.
  private func reaches(_ name: String, from type: MessageDescriptor) throws -> Bool {
    var seen: Set<String> = []
    var left = [type]
    while let next = left.popLast() {
      if next.fullName == name { return true }
      guard seen.insert(next.fullName).inserted else { continue }
      for field in next.fields where field.isMessage && field.cardinality != .repeated {
        left.append(try pool.message(field.typeName))
      }
    }
    return false
  }

  /// About how many bytes a value of the message takes without what is on the heap.
  private func size(of message: MessageDescriptor) throws -> Int {
    var size = 8
    for field in message.fields where field.oneofIndex == nil {
      size += try self.size(of: field, in: message)
    }
    for oneof in message.oneofs {
      size += try oneof.fields.map { try self.size(of: $0, in: message) }.max() ?? 0
    }
    return size
  }

  private func size(of field: FieldDescriptor, in message: MessageDescriptor) throws -> Int {
    if field.cardinality == .repeated { return 8 }
    if field.isMessage {
      // Only messages that do not contain themselves get here with their own size.
      return try isIndirect(field, of: message)
        ? 8 : size(of: pool.message(field.typeName)) + 8
    }
    switch field.proto.type {
    case .bool: return 1
    case .bytes: return 8
    case .float, .int32, .uint32, .sint32, .fixed32, .sfixed32: return 8
    default: return 16
    }
  }
}
