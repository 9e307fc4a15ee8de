import ProtobufTestMessages
import SwiftProtobuf
import Testing

/// Merging a message into another.
@Suite struct MergingTests {
  @Test func singleFieldsAreReplacedAndMessagesMerged() throws {
    var message = Swiftkart_Test_EveryType.with {
      $0.int32Value = 1
      $0.stringValue = "old"
      $0.child.boolValue = true
      $0.child.child.int64Value = 2
    }
    let other = Swiftkart_Test_EveryType.with {
      $0.stringValue = "new"
      $0.child.child.uint32Value = 3
    }
    try message.merge(serializedBytes: other.serializedBytes() as [UInt8])
    #expect(message.int32Value == 1)
    #expect(message.stringValue == "new")
    #expect(message.child.boolValue)
    #expect(message.child.child.int64Value == 2)
    #expect(message.child.child.uint32Value == 3)
  }

  @Test func repeatedFieldsGrowAndMapEntriesAreReplaced() throws {
    var message = Swiftkart_Test_Maps.with {
      $0.lamps = ["a": .on, "b": .on]
      $0.nested = [1: .with { $0.lamps = ["x": .on] }]
    }
    let other = Swiftkart_Test_Maps.with {
      $0.lamps = ["b": .off, "c": .on]
      $0.nested = [1: .with { $0.lamps = ["y": .on] }]
    }
    try message.merge(serializedBytes: other.serializedBytes() as [UInt8])
    #expect(message.lamps == ["a": .on, "b": .off, "c": .on])
    #expect(message.nested == other.nested)
  }

  /// The same member is merged, another takes its place.
  @Test func oneofsAreMergedByMember() throws {
    var message = Swiftkart_Test_Choices.with { $0.message.int32Value = 1 }
    var other = Swiftkart_Test_Choices.with { $0.message.boolValue = false }
    try message.merge(serializedBytes: other.serializedBytes() as [UInt8])
    #expect(message.message.int32Value == 1 && !message.message.boolValue)
    other = .with { $0.delimited.stringValue = "z" }
    try message.merge(serializedBytes: other.serializedBytes() as [UInt8])
    #expect(message == other)
  }

  @Test func isEqualToAsksForTheTypeToo() {
    let message = Swiftkart_Test_SomeTypes.with { $0.int32Value = 1 }
    #expect(message.isEqualTo(message: Swiftkart_Test_SomeTypes.with { $0.int32Value = 1 }))
    #expect(!message.isEqualTo(message: Swiftkart_Test_EveryType.with { $0.int32Value = 1 }))
  }

  /// As Swift compares numbers: NaN is unequal to itself, and zeros are equal.
  @Test func floatingPointFieldsAreComparedAsNumbers() {
    let nan = Swiftkart_Test_Choices.with { $0.doubleValue = .nan }
    #expect(nan != nan)
    let zero = Swiftkart_Test_Choices.with { $0.floatValue = 0 }
    let minusZero = Swiftkart_Test_Choices.with { $0.floatValue = -0.0 }
    #expect(zero == minusZero)
    #expect(zero.hashValue == minusZero.hashValue)
  }
}
