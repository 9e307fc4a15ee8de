/// How a field's value lies on the wire: the low three bits of its tag.
///
/// Specification: <https://protobuf.dev/programming-guides/encoding/#structure>.
@frozen
public enum WireType: UInt32, Sendable {
  case varint = 0
  case fixed64 = 1
  case lengthDelimited = 2
  case startGroup = 3
  case endGroup = 4
  case fixed32 = 5
}
