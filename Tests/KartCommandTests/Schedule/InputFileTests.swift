import FoundationEssentials
import KartProcess
import KartTesting
import Testing

@testable import KartCommand

struct InputFileTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = TemporaryFolder()
  }

  private func file(_ bytes: [UInt8]) throws -> String {
    let path = folder.file("races.json")
    try Data(bytes).write(to: URL(filePath: path))
    return path
  }

  @Test(arguments: ["{}", "\u{feff}{}"])
  func aByteOrderMarkIsPassedOver(text: String) throws {
    #expect(Array(try InputFile.text(file(Array(text.utf8))).utf8) == Array("{}".utf8))
  }

  @Test(arguments: [[0xff, 0xfe, 0x7b, 0x00], [0xef, 0xbb, 0xbf, 0xff]] as [[UInt8]])
  func whatIsNoTextIsRefused(bytes: [UInt8]) throws {
    let path = try file(bytes)
    let error = #expect(throws: UsageError.self) { try InputFile.text(path) }
    #expect(error.map { "\($0)" } == "kart: \(path) is not UTF-8 text")
  }
}
