import SwiftProtobuf
import Testing

@testable import SwiftProtobufGenerator

/// Messages without a package keep their names, whatever the generated code calls its own things.
@Suite struct ServiceNamesTests {
  @Test(arguments: ["Result", "Transport"])
  func messagesMayBeCalledLikeGenericParameters(name: String) throws {
    let response = SwiftServiceGenerator.respond(
      to: .with {
        $0.fileToGenerate = ["a.proto"]
        $0.protoFile = [
          .with {
            $0.name = "a.proto"
            $0.messageType = [.with { $0.name = name }]
            $0.service = [
              .with {
                $0.name = "Service"
                $0.method = [
                  .with {
                    $0.name = "Get"
                    $0.inputType = ".\(name)"
                    $0.outputType = ".\(name)"
                  }
                ]
              }
            ]
          }
        ]
      })
    let source = try #require(response.file.first).content
    #expect(source.contains("ClientRequest<\(name)>"))
    #expect(!source.contains("<\(name): "))
  }
}
