import Glibc
import SwiftProtobuf

// What libFuzzer calls with each input, see Scripts/fuzz.sh. The first byte chooses the type of the
// message, the rest is the message in the format that FUZZ_FORMAT names. What is read must be read
// back equal after it is written; reading itself must neither trap nor touch memory that is not its
// own, which the address sanitizer watches.

enum FuzzFormat: String {
  case binary, json, text
}

/// An input that is read, written and then read differently.
struct RoundTripFailure: Error {}

extension Message {
  static func goRound(_ bytes: [UInt8], _ format: FuzzFormat) throws {
    switch format {
    case .binary: try goRoundInBinary(bytes)
    case .json: try goRoundInJSON(bytes)
    case .text: try goRoundInText(bytes)
    }
  }

  private static func goRoundInBinary(_ bytes: [UInt8]) throws {
    guard let message = try? Self(serializedBytes: bytes, partial: true) else { return }
    let written: [UInt8] = try message.serializedBytes(partial: true)
    let again = try Self(serializedBytes: written, partial: true)
    try check(message, again)
    // Nothing traps that has been read.
    _ = try? message.jsonString()
    _ = message.textFormatString()
  }

  private static func goRoundInJSON(_ bytes: [UInt8]) throws {
    guard let message = try? Self(jsonUTF8Bytes: bytes) else { return }
    try check(message, Self(jsonString: message.jsonString()))
  }

  private static func goRoundInText(_ bytes: [UInt8]) throws {
    guard let text = String(validating: bytes, as: UTF8.self),
      let message = try? Self(textFormatString: text)
    else { return }
    try check(message, Self(textFormatString: message.textFormatString()))
  }

  private static func check(_ message: Self, _ again: Self) throws {
    // What is not a number differs from itself.
    let first: [UInt8] = try message.serializedBytes(partial: true, options: .deterministic)
    let second: [UInt8] = try again.serializedBytes(partial: true, options: .deterministic)
    if first != second { throw RoundTripFailure() }
  }
}

extension BinaryEncodingOptions {
  fileprivate static var deterministic: BinaryEncodingOptions {
    var options = BinaryEncodingOptions()
    options.useDeterministicOrdering = true
    return options
  }
}

private let types: [any Message.Type] = [
  ProtobufTestMessages_Proto3_TestAllTypesProto3.self,
  ProtobufTestMessages_Proto2_TestAllTypesProto2.self,
  ProtobufTestMessages_Editions_TestAllTypesEdition2023.self,
  ProtobufTestMessages_Proto2_TestAllRequiredTypesProto2.self,
  Google_Protobuf_FileDescriptorProto.self,
]

private let format = FuzzFormat(rawValue: getenv("FUZZ_FORMAT").map { String(cString: $0) } ?? "")

/// Takes one input: libFuzzer finds it by its C name.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard let format else { fatalError("set FUZZ_FORMAT to binary, json or text") }
  let input = UnsafeBufferPointer(start: start, count: count)
  guard let first = input.first else { return 0 }
  do {
    try types[Int(first) % types.count].goRound(Array(input.dropFirst()), format)
  } catch {
    fatalError("\(error)")
  }
  return 0
}
