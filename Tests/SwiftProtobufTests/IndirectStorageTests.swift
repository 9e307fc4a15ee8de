import ProtobufTestMessages
import SwiftProtobuf
import Testing

/// Types that contain themselves, and large ones, are values all the same.
@Suite struct IndirectStorageTests {
  private let tree = Swiftkart_Test_Node.with {
    $0.name = "root"
    $0.next.name = "next"
    $0.link.target.name = "linked"
    $0.branch.leaf = 5
    $0.children = [.with { $0.name = "child" }, .init()]
    $0.named = ["a": .with { $0.next.next.name = "deep" }]
  }

  @Test func recursiveMessagesGoRound() throws {
    let bytes: [UInt8] = try tree.serializedBytes()
    #expect(try Swiftkart_Test_Node(serializedBytes: bytes) == tree)
    #expect(try Swiftkart_Test_Node(jsonString: tree.jsonString()) == tree)
  }

  @Test func copiesAreIndependent() {
    var copy = tree
    copy.next.name = "changed"
    copy.branch.leaf = 6
    #expect(tree.next.name == "next")
    #expect(tree.branch.leaf == 5)
    #expect(copy != tree)
    copy.clearNext()
    #expect(!copy.hasNext)
    #expect(tree.hasNext)
  }

  @Test func largeMessagesAreKeptApart() throws {
    let holder = Swiftkart_Test_Holder.with {
      $0.large.a17 = "large"
      $0.largeMember.a01 = "member"
    }
    #expect(MemoryLayout<Swiftkart_Test_Holder>.size < MemoryLayout<Swiftkart_Test_Large>.size)
    let bytes: [UInt8] = try holder.serializedBytes()
    #expect(try Swiftkart_Test_Holder(serializedBytes: bytes) == holder)
  }
}
