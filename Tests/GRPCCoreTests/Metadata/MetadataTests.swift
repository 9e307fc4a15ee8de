import GRPCCore
import Testing

@Suite struct MetadataTests {
  @Test func keepsPairsInTheirOrder() {
    let metadata: Metadata = ["b": "1", "a": "2", "b": "3"]
    #expect(metadata.map(\.key) == ["b", "a", "b"])
    #expect(Array(metadata["b"]) == [.string("1"), .string("3")])
    #expect(metadata.count == 3)
  }

  @Test(arguments: ["trace-id", "Trace-Id", "TRACE-ID"])
  func keysHaveNoCase(key: String) {
    let metadata: Metadata = ["Trace-ID": "1"]
    #expect(Array(metadata[stringValues: key]) == ["1"])
    #expect(Array(metadata["trace-i"]).isEmpty)
  }

  @Test func textAndBytesAreReadAsTheOther() {
    var metadata: Metadata = [:]
    metadata.addString("AQI", forKey: "x-bin")
    metadata.addBinary([3], forKey: "x-bin")
    metadata.addString("not base64", forKey: "x-bin")
    #expect(Array(metadata[binaryValues: "x-bin"]) == [[1, 2], [3]])
    #expect(Array(metadata[stringValues: "x-bin"]) == ["AQI", "Aw==", "not base64"])
  }

  @Test func replacesEveryValueOfAKey() {
    var metadata: Metadata = ["k": "1", "other": "2", "K": "3"]
    metadata.replaceOrAddString("4", forKey: "k")
    #expect(metadata == ["other": "2", "k": "4"])
    metadata.replaceOrAddBinary([5], forKey: "new-bin")
    #expect(Array(metadata["new-bin"]) == [[5]])
  }

  @Test func removesWhatIsChosen() {
    var metadata: Metadata = ["a": "1", "b": "2", "A": "3", "c": "4"]
    metadata.removeAllValues(forKey: "a")
    #expect(metadata == ["b": "2", "c": "4"])
    metadata.removeAll { $0.key == "c" }
    #expect(metadata == ["b": "2"])
    metadata.removeAll(keepingCapacity: true)
    #expect(metadata.isEmpty)
  }

  @Test func showsItsPairs() {
    #expect("\(["a": "1", "b-bin": [1, 2]] as Metadata)" == #"["a": 1, "b-bin": AQI=]"#)
    #expect("\([:] as Metadata)" == "[:]")
  }
}
