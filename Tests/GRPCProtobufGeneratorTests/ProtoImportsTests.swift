import Foundation
import Testing

@Suite struct ProtoImportsTests {
  @Test(arguments: [
    (#"import "a.proto";"#, ["a.proto"]),
    (#"import'a.proto';import "b.proto" ;"#, ["a.proto", "b.proto"]),
    (
      #"import public "a.proto"; import weak "b.proto"; import option "c.proto";"#,
      ["a.proto", "b.proto", "c.proto"]
    ),
    ("import\n  \"long/\"\n  \"name.proto\";", ["long/name.proto"]),
    ("// import \"no.proto\";\nimport \"yes.proto\"; // import \"no.proto\";", ["yes.proto"]),
    ("/* import \"no.proto\"; */ import /* here */ \"yes.proto\";", ["yes.proto"]),
    ("/* never closed import \"no.proto\";", []),
    (#"option x = "import 'no.proto';"; import "yes.proto";"#, ["yes.proto"]),
    (#"option x = "a \" import 'no.proto';"; import "yes.proto";"#, ["yes.proto"]),
    ("message import { string import = 1 [default = \"no.proto\"]; }", []),
    ("import \"a.proto\";\r\nimport \"b.proto\";\r\n", ["a.proto", "b.proto"]),
    ("import ;", []),
    ("", []),
  ])
  func findsNames(text: String, names: [String]) {
    #expect(ProtoImports.names(in: text) == names)
  }

  @Test func followsImportsOfImportsOnce() throws {
    let folder = try TemporaryFolder()
    let root = try folder.write("first/root.proto", #"import "a.proto"; import "sub/b.proto";"#)
    try folder.write("first/a.proto", #"import "sub/b.proto"; import "google/protobuf/any.proto";"#)
    try folder.write("second/a.proto", #"import "hidden.proto";"#)
    try folder.write("second/sub/b.proto", #"import "a.proto"; import "root.proto";"#)
    let folders = ["first", "second"].map { folder.url.appending(path: $0) }
    let found = try ProtoImports.files(importedBy: root, in: folders)
    #expect(
      found.map { String($0.path.dropFirst(folder.url.path.count)) }
        == ["/first/a.proto", "/first/root.proto", "/second/sub/b.proto"])
  }
}
