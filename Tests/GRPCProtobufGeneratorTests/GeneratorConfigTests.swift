import Foundation
import Testing

@Suite struct GeneratorConfigTests {
  let url = URL(filePath: "/package/Protos/grpc-swift-proto-generator-config.json")

  @Test func emptyObjectTakesEveryDefault() throws {
    let config = try GeneratorConfig(parsing: Data("{}".utf8), from: url)
    #expect(config == GeneratorConfig(url: url))
    #expect(config.generatesMessages && config.generatesClients && config.generatesServers)
    #expect(config.accessLevel == .internal && !config.accessLevelOnImports)
    #expect(config.protocPath == nil)
    #expect(config.importFolders.map(\.path) == ["/package/Protos"])
  }

  @Test func readsEveryKey() throws {
    let text = """
      {
        "generate": {"clients": false, "servers": true, "messages": false},
        "generatedSource": {"accessLevel": "public", "accessLevelOnImports": true},
        "protoc": {"executablePath": "bin/protoc", "importPaths": ["../Other", "/absolute"]}
      }
      """
    let config = try GeneratorConfig(parsing: Data(text.utf8), from: url)
    #expect(!config.generatesClients && config.generatesServers && !config.generatesMessages)
    #expect(config.generatesServices)
    #expect(config.accessLevel == .public && config.accessLevelOnImports)
    #expect(config.protocPath == "bin/protoc")
    #expect(config.importFolders.map(\.path) == ["/package/Other", "/absolute"])
  }

  @Test(arguments: [
    (#"{"generat": {}}"#, "“generat” is not a key there; the keys are generate, "),
    (#"{"generate": {"client": true}}"#, "“generate.client” is not a key there; the keys are "),
    (#"{"generatedSource": {"level": 1}}"#, "“generatedSource.level” is not a key there"),
    (#"{"protoc": {"importPath": []}}"#, "“protoc.importPath” is not a key there"),
    (#"{"generate": {"clients": "yes"}}"#, "“generate.clients” must be true or false"),
    (#"{"protoc": {"importPaths": "Protos"}}"#, "“protoc.importPaths” must be a list of strings"),
    (#"{"protoc": {"importPaths": ["a", 1]}}"#, "“protoc.importPaths[1]” must be a string"),
    (#"{"protoc": []}"#, "“protoc” must be an object"),
    (#"{"generatedSource": {"accessLevel": "open"}}"#, #"is "open"; it may be one of "internal""#),
    ("[]", "the file's value must be an object"),
    (#"{"generate""#, "it is not valid JSON"),
  ])
  func saysWhatIsWrong(text: String, reason: String) throws {
    let error = try #require(throws: GeneratorError.self) {
      try GeneratorConfig(parsing: Data(text.utf8), from: url)
    }
    #expect("\(error)".hasPrefix(url.path + ": "))
    #expect("\(error)".contains(reason))
  }

  @Test func nearestAncestorWins() {
    let configs = ["/t", "/t/a/b", "/t/a"].map {
      GeneratorConfig(url: URL(filePath: "\($0)/\(GeneratorConfig.fileName)"))
    }
    func nearest(_ path: String) -> String? {
      configs.nearest(to: URL(filePath: path))?.folder.path
    }
    #expect(nearest("/t/x.proto") == "/t")
    #expect(nearest("/t/a/x.proto") == "/t/a")
    #expect(nearest("/t/a/b/c/x.proto") == "/t/a/b")
    #expect(nearest("/t/ab/x.proto") == "/t")
    #expect(nearest("/other/x.proto") == nil)
  }
}
