import GRPCCore
import KartTesting
import Testing

@testable import GRPCHTTP2Transport

@Suite struct MessageCodecTests {
  static let algorithms: [CompressionAlgorithm] = [.gzip, .deflate]
  private static let text = Array("kart kart kart kart kart kart".utf8)

  private static func bytes(hex: String) -> [UInt8] {
    let digits = Array(hex)
    return stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(digits[$0...($0 + 1)]), radix: 16)
    }
  }

  @Test(arguments: algorithms, [1, 29, 1000, 65_535, 65_536, 65_537, 1 << 20])
  func messagesComeBack(algorithm: CompressionAlgorithm, size: Int) throws {
    let codecs = MessageCodecs()
    let compressor = try #require(codecs.compressor(for: algorithm))
    let decompressor = try #require(codecs.decompressor(for: algorithm))
    let message = (0..<size).map { UInt8(truncatingIfNeeded: $0 / 100) }
    // Twice, since all messages share one state.
    for _ in 0..<2 {
      guard let compressed = compressor.compress(message) else {
        #expect(size == 1)
        continue
      }
      #expect(compressed.count < message.count)
      #expect(try decompressor.decompress(compressed, limit: size) == message)
    }
  }

  /// What Python's `gzip` and `zlib` write.
  @Test(arguments: [
    (
      CompressionAlgorithm.gzip,
      "1f8b0800000000000203cb4e2c2a51c8c6410000951d90131d000000"
    ),
    (.deflate, "789ccb4e2c2a51c8c6410000a18d0acd"),
  ])
  func theFormatsAreTheUsualOnes(algorithm: CompressionAlgorithm, hex: String) throws {
    let decompressor = MessageDecompressor(algorithm)
    #expect(try decompressor.decompress(Self.bytes(hex: hex), limit: 29) == Self.text)
  }

  @Test func whatDoesNotBecomeShorterIsLeftAsItIs() {
    var random = SeededGenerator(seed: 7)
    let noise = (0..<1000).map { _ in UInt8.random(in: 0...255, using: &random) }
    #expect(MessageCompressor(.gzip).compress(noise) == nil)
    #expect(MessageCompressor(.gzip).compress([]) == nil)
  }

  @Test(arguments: algorithms) func aBombIsStoppedAtTheLimit(algorithm: CompressionAlgorithm) throws
  {
    let zeros = [UInt8](repeating: 0, count: 64 << 20)
    let bomb = try #require(MessageCompressor(algorithm).compress(zeros))
    #expect(bomb.count < 100_000)
    let decompressor = MessageDecompressor(algorithm)
    for limit in [0, 1, 1000, 1 << 20, zeros.count - 1] {
      #expect(throws: MessageDecompressor.Failure.tooLarge(limit: limit)) {
        try decompressor.decompress(bomb, limit: limit)
      }
    }
    // The next message is none the worse for it.
    let compressed = try #require(MessageCompressor(algorithm).compress(Self.text))
    #expect(try decompressor.decompress(compressed, limit: Self.text.count) == Self.text)
  }

  @Test(arguments: algorithms) func brokenMessagesAreRefused(algorithm: CompressionAlgorithm) throws
  {
    let decompressor = MessageDecompressor(algorithm)
    let compressed = try #require(MessageCompressor(algorithm).compress(Self.text))
    let broken: [[UInt8]] =
      [[], Self.text, compressed + [0], compressed + compressed]
      + (0..<compressed.count).map { Array(compressed[..<$0]) }
    for bytes in broken {
      #expect(throws: MessageDecompressor.Failure.malformed) {
        try decompressor.decompress(bytes, limit: 1000)
      }
    }
    // The other format is refused as well.
    let other = Self.algorithms[algorithm == .gzip ? 1 : 0]
    #expect(throws: MessageDecompressor.Failure.malformed) {
      try MessageDecompressor(other).decompress(compressed, limit: 1000)
    }
  }

  @Test(arguments: [
    ("", ["identity"]), ("identity", ["identity"]), ("gzip", ["identity", "gzip"]),
    ("identity,deflate,gzip", ["identity", "deflate", "gzip"]),
    (" gzip , br,deflate", ["identity", "deflate", "gzip"]), ("gzipx,xgzip,", ["identity"]),
    (",,gzip", ["identity", "gzip"]),
  ])
  func listsOfEncodingsAreRead(text: String, names: [String]) {
    let read = Array(text.utf8).withUnsafeBufferPointer { CompressionAlgorithmSet(header: $0) }
    #expect(read.elements.map(\.description) == names)
  }
}
