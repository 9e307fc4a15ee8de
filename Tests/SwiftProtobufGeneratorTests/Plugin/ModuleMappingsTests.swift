import Testing

@testable import SwiftProtobufGenerator

@Suite struct ModuleMappingsTests {
  @Test func readsTheTextFormat() throws {
    let mappings = try ModuleMappings(
      """
      # Who has what.
      mapping {
        module_name: "KartAPI"
        proto_file_path: "a.proto"
        proto_file_path: ["b/c.proto", 'd.proto']
      }
      mapping { proto_file_path: "e.proto", module_name: 'Other' }
      """, path: "m")
    #expect(mappings.module(of: "a.proto") == "KartAPI")
    #expect(mappings.module(of: "b/c.proto") == "KartAPI")
    #expect(mappings.module(of: "d.proto") == "KartAPI")
    #expect(mappings.module(of: "e.proto") == "Other")
    #expect(mappings.module(of: "f.proto") == nil)
    #expect(mappings.module(of: "google/protobuf/timestamp.proto") == "SwiftProtobuf")
  }

  @Test(arguments: [
    ("nonsense", "expected 'mapping {'"),
    ("mapping {}", "a mapping has no module_name"),
    ("mapping { module: \"A\" }", "there is no field 'module'"),
    ("mapping { module_name \"A\" }", "expected ':'"),
    ("mapping { module_name: A }", "expected a string"),
    ("mapping { module_name: \"A }", "a string does not end"),
    ("mapping { module_name: \"A\" proto_file_path: [\"a\" ", "expected a string"),
    (
      "mapping { module_name: \"A\" proto_file_path: \"x\" } mapping { module_name: \"B\" proto_file_path: \"x\" }",
      "'x' is mapped to both A and B"
    ),
  ])
  func mistakesAreNamed(text: String, problem: String) {
    #expect(throws: GeneratorError.invalidModuleMappings(path: "m", problem: problem)) {
      try ModuleMappings(text, path: "m")
    }
  }
}
