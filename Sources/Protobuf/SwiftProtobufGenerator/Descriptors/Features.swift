import SwiftProtobuf

/// What the features of an element of a .proto file resolve to: its own, over those of what it is
/// in, over the defaults of the file's edition.
///
/// Specification: <https://protobuf.dev/editions/features/>.
public struct Features: Hashable, Sendable {
  /// Whether a field knows if it is set.
  public var fieldPresence = Google_Protobuf_FeatureSet.FieldPresence.explicit
  /// Whether an enum holds numbers that it has no value for.
  public var enumType = Google_Protobuf_FeatureSet.EnumType.open
  /// Whether repeated scalars share one tag.
  public var repeatedFieldEncoding = Google_Protobuf_FeatureSet.RepeatedFieldEncoding.packed
  /// Whether a nested message is written with its length or between tags.
  public var messageEncoding = Google_Protobuf_FeatureSet.MessageEncoding.lengthPrefixed
  /// Whether strings must be UTF-8.
  public var utf8Validation = Google_Protobuf_FeatureSet.Utf8Validation.verify

  /// The defaults of an edition.
  public init(edition: Google_Protobuf_Edition) {
    switch edition {
    case .proto2:
      enumType = .closed
      repeatedFieldEncoding = .expanded
      utf8Validation = .none
    case .proto3:
      fieldPresence = .implicit
    default:
      break
    }
  }

  /// These features with those that are set in `overrides`.
  func overridden(by overrides: Google_Protobuf_FeatureSet) -> Features {
    var features = self
    if overrides.hasFieldPresence { features.fieldPresence = overrides.fieldPresence }
    if overrides.hasEnumType { features.enumType = overrides.enumType }
    if overrides.hasRepeatedFieldEncoding {
      features.repeatedFieldEncoding = overrides.repeatedFieldEncoding
    }
    if overrides.hasMessageEncoding { features.messageEncoding = overrides.messageEncoding }
    if overrides.hasUtf8Validation { features.utf8Validation = overrides.utf8Validation }
    return features
  }
}
