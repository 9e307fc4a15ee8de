import SwiftProtobuf

/// The comments of a .proto file by the path of what they belong to.
struct Comments: Sendable {
  private var lines: [[Int32]: [String]] = [:]

  init(_ info: Google_Protobuf_SourceCodeInfo) {
    for location in info.location {
      let text = [location.leadingComments, location.trailingComments]
        .filter { !$0.isEmpty }.joined(separator: "\n")
      guard !text.isEmpty, lines[location.path] == nil else { continue }
      // A .proto file's lines may end in carriage returns, which end a Swift comment, too.
      var all = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        .map { String($0.first == " " ? $0.dropFirst() : $0) }
      while all.last?.isEmpty == true { all.removeLast() }
      lines[location.path] = all
    }
  }

  /// The comment's lines without comment marks.
  subscript(path: [Int32]) -> [String] { lines[path] ?? [] }

  /// The comment's lines with a note if the .proto file calls the thing deprecated.
  ///
  /// - Parameter thing: what it is; nil if it is not deprecated.
  subscript(path: [Int32], deprecated thing: String?) -> [String] {
    guard let thing else { return self[path] }
    let note = "NOTE: This \(thing) was marked as deprecated in the .proto file."
    return self[path].isEmpty ? [note] : self[path] + ["", note]
  }
}
