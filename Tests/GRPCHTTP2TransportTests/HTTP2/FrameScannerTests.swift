import Testing

@testable import GRPCHTTP2Transport

@Suite struct FrameScannerTests {
  private let frames = [
    WireFrame.settings([(3, 100)]), .headers(1, WireHeaders.request(), endHeaders: false),
    WireFrame(.continuation, flags: WireFrame.endHeaders, stream: 1, [1, 2, 3]),
    .message(1), WireFrame(.data, stream: 1), .ping(),
  ]

  @Test(arguments: 1...40) func itSeesTheSameHoweverTheBytesAreCut(size: Int) {
    let bytes = WireClient.preface + frames.flatMap(\.bytes)
    var scanner = FrameScanner(prefaceSize: WireClient.preface.count)
    var seen: [FrameScanner.Header] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      bytes[start..<min(start + size, bytes.count)].withUnsafeBytes { piece in
        scanner.scan(piece) { seen.append($0) }
      }
    }
    #expect(
      seen
        == frames.map {
          FrameScanner.Header(length: $0.payload.count, type: $0.type, flags: $0.flags)
        })
    #expect(!scanner.isInsideHeaderBlock)
  }

  @Test func itKnowsWhereAHeaderBlockEnds() {
    let bytes = frames.flatMap(\.bytes)
    let begin = frames[0].bytes.count
    let end = begin + frames[1].bytes.count + frames[2].bytes.count
    var scanner = FrameScanner(prefaceSize: 0)
    for (index, byte) in bytes.enumerated() {
      withUnsafeBytes(of: byte) { scanner.scan($0) { _ in } }
      // A frame is known by its first five bytes.
      #expect(scanner.isInsideHeaderBlock == (begin + 4..<end - 1).contains(index), "\(index)")
    }
  }
}
