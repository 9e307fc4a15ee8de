import SwiftProtobuf

/// A code generator that protoc runs as a plugin.
public protocol CodeGenerator {
  /// Reads the parameter that came with `--NAME_opt` or before the colon of `--NAME_out`.
  ///
  /// - Parameter options: the parameter's parts in order.
  /// - Throws: ``GeneratorError`` if one is not known or has a wrong value.
  init(options: [GeneratorParameter]) throws

  /// Generates the files that belong to one .proto file.
  ///
  /// - Throws: ``GeneratorError`` if the file can't be turned into Swift.
  func generate(_ file: FileDescriptor, in pool: DescriptorPool) throws -> [GeneratedFile]
}

/// One `name=value` of a plugin's parameter.
public struct GeneratorParameter: Hashable, Sendable {
  /// What is before the equals sign.
  public var name: String
  /// What is behind it; empty if there is none.
  public var value: String

  /// Creates a parameter.
  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }

  /// Takes `a=b,c=d` apart.
  static func parse(_ text: String) -> [GeneratorParameter] {
    text.split(separator: ",").map { part in
      let pieces = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return GeneratorParameter(
        name: trimmed(pieces[0]), value: pieces.count > 1 ? trimmed(pieces[1]) : "")
    }
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text.drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}

/// A file that a generator wrote.
public struct GeneratedFile: Hashable, Sendable {
  /// The path inside of the output folder.
  public var name: String
  /// The text.
  public var content: String

  /// Creates a file.
  public init(name: String, content: String) {
    self.name = name
    self.content = content
  }
}

extension CodeGenerator {
  /// Answers one request of protoc.
  ///
  /// - Parameter request: what protoc asks for.
  /// - Returns: the files, or the error that protoc shows to the user.
  public static func respond(
    to request: Google_Protobuf_Compiler_CodeGeneratorRequest
  ) -> Google_Protobuf_Compiler_CodeGeneratorResponse {
    var response = Google_Protobuf_Compiler_CodeGeneratorResponse()
    response.supportedFeatures = UInt64(
      Google_Protobuf_Compiler_CodeGeneratorResponse.Feature.proto3Optional.rawValue
        | Google_Protobuf_Compiler_CodeGeneratorResponse.Feature.supportsEditions.rawValue)
    response.minimumEdition = Int32(Google_Protobuf_Edition.proto2.rawValue)
    response.maximumEdition = Int32(Google_Protobuf_Edition.edition2024.rawValue)
    do {
      let generator = try Self(options: GeneratorParameter.parse(request.parameter))
      let pool = DescriptorPool(request.protoFile)
      for name in request.fileToGenerate {
        guard let file = pool.files[name] else {
          throw GeneratorError.invalidRequest("'\(name)' is not in it")
        }
        for generated in try generator.generate(file, in: pool) {
          response.file.append(
            .with {
              $0.name = generated.name
              $0.content = generated.content
            })
        }
      }
    } catch {
      response.file = []
      response.error = "\(error)"
    }
    return response
  }
}
