import SwiftProtobuf
import Testing

@testable import SwiftProtobufGenerator

@Suite struct EnumCaseNamesTests {
  private func names(_ values: (String, Int32)...) throws -> EnumCaseNames {
    let file = Google_Protobuf_FileDescriptorProto.with {
      $0.name = "a.proto"
      $0.enumType = [
        .with { type in
          type.name = "Kind"
          type.value = values.map { name, number in
            .with {
              $0.name = name
              $0.number = number
            }
          }
        }
      ]
    }
    return EnumCaseNames(try DescriptorPool([file]).enumType("Kind"))
  }

  @Test func prefixesAreStripped() throws {
    let names = try names(("KIND_NONE", 0), ("KIND_A", 1), ("OTHER", 2), ("KIND_3D", 3))
    #expect(names.values.map(\.name) == ["none", "a", "other", "kind3D"])
  }

  @Test func clashesGetTheirNumbers() throws {
    let names = try names(("KIND_A", 0), ("A", 1), ("KIND_B", -2), ("B", 3))
    #expect(names.values.map(\.name) == ["a_0", "a_1", "b_n2", "b_3"])
  }

  @Test func aliasesOfOneNameAreOne() throws {
    let names = try names(("KIND_A", 0), ("A", 0), ("KIND_B", 0))
    #expect(names.values.map(\.name) == ["a", "b"])
    #expect(names.values.map(\.isAlias) == [false, true])
    #expect(names.name(of: 0) == "a")
  }
}
