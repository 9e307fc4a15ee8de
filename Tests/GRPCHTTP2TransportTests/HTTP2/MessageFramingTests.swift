import Testing

@testable import GRPCHTTP2Transport

@Suite struct MessageFramingTests {
  private static let messages: [[UInt8]] = [
    [], [1], Array(repeating: 2, count: 300), [], [3, 4, 5], Array(repeating: 6, count: 70_000),
  ]

  @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 64, 1000, 1_000_000])
  func messagesSurviveAnyDivisionOfTheirBytes(chunk: Int) throws {
    var outbound = OutboundMessages()
    for message in Self.messages { outbound.append(message) }
    var deframer = MessageDeframer(limit: 1 << 20)
    var received: [[UInt8]] = []
    while !outbound.isEmpty {
      let size = min(chunk, outbound.byteCount)
      var bytes = [UInt8](repeating: 0, count: size)
      bytes.withUnsafeMutableBytes { buffer in
        if let base = buffer.baseAddress { outbound.take(size, into: base) }
      }
      try bytes.withUnsafeBytes { buffer in
        var rest = buffer
        while let message = try deframer.next(from: &rest) { received.append(message) }
        #expect(rest.isEmpty)
      }
    }
    #expect(received == Self.messages)
    #expect(!deframer.isInsideMessage)
  }

  @Test func aQueueThatIsFilledAsItDrainsKeepsItsOrder() {
    var outbound = OutboundMessages()
    var taken: [UInt8] = []
    for number in 0..<200 {
      outbound.append([UInt8(number)])
      outbound.append([UInt8(number)])
      var bytes = [UInt8](repeating: 0, count: 6)
      bytes.withUnsafeMutableBytes { buffer in
        if let base = buffer.baseAddress { outbound.take(6, into: base) }
      }
      taken.append(bytes[5])
    }
    #expect(taken == (0..<200).map { UInt8($0 / 2) })
    #expect(outbound.byteCount == 200 * 6)
  }

  @Test(arguments: [
    ([2, 0, 0, 0, 0], MessageDeframer.Failure.malformedPrefix(flag: 2)),
    ([1, 0, 0, 0, 0], .unexpectedCompression),
    ([0, 0, 0, 0, 11], .tooLarge(size: 11, limit: 10)),
    ([0, 255, 255, 255, 255], .tooLarge(size: 4_294_967_295, limit: 10)),
  ])
  func badPrefixesAreNamed(bytes: [UInt8], failure: MessageDeframer.Failure) {
    var deframer = MessageDeframer(limit: 10)
    #expect(throws: failure) {
      try bytes.withUnsafeBytes { buffer in
        var rest = buffer
        _ = try deframer.next(from: &rest)
      }
    }
  }
}
