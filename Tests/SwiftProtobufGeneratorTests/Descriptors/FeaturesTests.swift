import SwiftProtobuf
import Testing

@testable import SwiftProtobufGenerator

/// Features by edition, and inherited from what an element is in.
@Suite struct FeaturesTests {
  private func field(
    syntax: String, edition: Google_Protobuf_Edition = .unknown,
    _ populate: (inout Google_Protobuf_FileDescriptorProto) -> Void = { _ in }
  ) throws -> FieldDescriptor {
    var file = Google_Protobuf_FileDescriptorProto.with {
      $0.name = "a.proto"
      $0.syntax = syntax
      if edition != .unknown { $0.edition = edition }
      $0.messageType = [
        .with {
          $0.name = "M"
          $0.field = [
            .with {
              $0.name = "f"
              $0.number = 1
              $0.label = .optional
              $0.type = .int32
            }
          ]
        }
      ]
    }
    populate(&file)
    return try #require(try DescriptorPool([file]).message("M").fields.first)
  }

  @Test func presence() throws {
    #expect(try field(syntax: "proto3").cardinality == .implicit)
    #expect(try field(syntax: "proto2").cardinality == .explicit)
    #expect(try field(syntax: "").cardinality == .explicit)
    #expect(try field(syntax: "editions", edition: .edition2023).cardinality == .explicit)
    let optional = try field(syntax: "proto3") {
      $0.messageType[0].field[0].proto3Optional = true
      $0.messageType[0].field[0].oneofIndex = 0
      $0.messageType[0].oneofDecl = [.with { $0.name = "_f" }]
    }
    #expect(optional.cardinality == .explicit)
    #expect(optional.oneofIndex == nil)
    let file = try field(syntax: "editions", edition: .edition2024) {
      $0.options.features.fieldPresence = .implicit
    }
    #expect(file.cardinality == .implicit)
    let own = try field(syntax: "editions", edition: .edition2024) {
      $0.options.features.fieldPresence = .implicit
      $0.messageType[0].field[0].options.features.fieldPresence = .legacyRequired
    }
    #expect(own.cardinality == .explicit)
    #expect(own.isRequired)
  }

  @Test func packing() throws {
    func packed(_ syntax: String, option: Bool? = nil) throws -> Bool {
      try field(syntax: syntax, edition: syntax == "editions" ? .edition2023 : .unknown) {
        $0.messageType[0].field[0].label = .repeated
        if let option { $0.messageType[0].field[0].options.packed = option }
      }.isPacked
    }
    #expect(try packed("proto2") == false)
    #expect(try packed("proto2", option: true))
    #expect(try packed("proto3"))
    #expect(try packed("proto3", option: false) == false)
    #expect(try packed("editions"))
    let string = try field(syntax: "proto3") {
      $0.messageType[0].field[0].label = .repeated
      $0.messageType[0].field[0].type = .string
    }
    #expect(!string.isPacked)
  }

  @Test func enumsAreClosedInProto2Only() throws {
    func isClosed(_ populate: (inout Google_Protobuf_FileDescriptorProto) -> Void) throws -> Bool {
      var file = Google_Protobuf_FileDescriptorProto.with {
        $0.name = "a.proto"
        $0.enumType = [.with { $0.name = "E" }]
      }
      populate(&file)
      return try DescriptorPool([file]).enumType("E").isClosed
    }
    #expect(try isClosed { $0.syntax = "proto2" })
    #expect(try !isClosed { $0.syntax = "proto3" })
    #expect(
      try isClosed {
        $0.syntax = "editions"
        $0.edition = .edition2024
        $0.enumType[0].options.features.enumType = .closed
      })
  }
}
