import Glibc
import SwiftProtobuf

extension CodeGenerator {
  /// Runs the generator as a protoc plugin: reads the request from standard input, writes the
  /// response to standard output.
  ///
  /// - Returns: the exit status.
  public static func main() -> Int32 {
    do {
      let request: Google_Protobuf_Compiler_CodeGeneratorRequest
      do {
        request = try .init(serializedBytes: readStandardInput())
      } catch {
        throw GeneratorError.invalidRequest("\(error)")
      }
      let response: [UInt8] = try respond(to: request).serializedBytes()
      for byte in response { putchar(Int32(byte)) }
      return fflush(nil) == 0 ? 0 : 1
    } catch {
      for byte in "\(CommandLine.arguments.first ?? "protoc plugin"): \(error)\n".utf8 {
        var byte = byte
        write(STDERR_FILENO, &byte, 1)
      }
      return 2
    }
  }

  private static func readStandardInput() -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let byte = getchar()
      if byte == EOF { return bytes }
      bytes.append(UInt8(truncatingIfNeeded: byte))
    }
  }
}
