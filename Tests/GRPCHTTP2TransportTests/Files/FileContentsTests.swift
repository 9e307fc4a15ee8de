import KartTesting
import Testing

@testable import GRPCHTTP2Transport

@Suite struct FileContentsTests {
  private let folder = TemporaryFolder()

  @Test(arguments: [0, 1, 16 << 10, (16 << 10) + 1, FileContents.limit - 1])
  func readsEveryByte(_ size: Int) throws {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
    let path = folder.file("bytes")
    TemporaryFolder.write(bytes, to: path)
    #expect(try FileContents.read(path) == bytes)
  }

  @Test func refusesWhatIsTooLarge() throws {
    let path = folder.file("bytes")
    TemporaryFolder.write([UInt8](repeating: 0, count: FileContents.limit + 1), to: path)
    #expect(throws: FileError("\(path) is larger than \(FileContents.limit) bytes")) {
      try FileContents.read(path)
    }
  }

  @Test func saysWhatIsMissing() {
    let path = folder.file("none")
    #expect(throws: FileError("\(path) cannot be read: No such file or directory")) {
      try FileContents.read(path)
    }
  }

  @Test func doesNotTakeAFailedReadForTheEnd() {
    // A folder can be opened, but not read.
    #expect(throws: FileError("\(folder.path) cannot be read: Is a directory")) {
      try FileContents.read(folder.path)
    }
  }
}
