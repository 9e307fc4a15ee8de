import Testing

@testable import GRPCHTTP2Transport

@Suite struct KeptRequestTests {
  @Test(arguments: [[], [[1]], [[1], [], [2, 3]]] as [[[UInt8]]])
  func itHasEveryMessageInOrder(messages: [[UInt8]]) {
    var request = KeptRequest()
    for message in messages { request.append(message, .gzip) }
    var kept: [[UInt8]] = []
    request.forEach {
      kept.append($0.message)
      #expect($0.compression == .gzip)
    }
    #expect(kept == messages)
    #expect(request.byteCount == messages.reduce(0) { $0 + 64 + $1.count })
  }
}
