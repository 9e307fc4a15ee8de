import Synchronization

/// The context for the next connection: made anew when its files have changed.
///
/// Whether they have is looked at when a connection begins, which costs a `stat` for each file. Connections that
/// are open keep the context they began with.
final class TLSContextSource: Sendable {
  private struct State: Sendable {
    var context: TLSContext
    var stamps: [FileStamp?]
  }

  private let settings: TLSSettings
  private let files: [String]
  private let state: Mutex<State>

  /// Reads everything once.
  ///
  /// - Throws: ``TLSError`` that names what is of no use.
  init(_ settings: TLSSettings) throws(TLSError) {
    self.settings = settings
    files = settings.files
    let stamps = files.map(FileStamp.init(path:))
    state = Mutex(State(context: try TLSContext(settings), stamps: stamps))
  }

  /// The context of the files as they are now, or as they were last of use.
  ///
  /// A certificate and its key are two files, and for a moment may not belong together.
  func current() -> TLSContext {
    if files.isEmpty { return state.withLock(\.context) }
    let stamps = files.map(FileStamp.init(path:))
    let (context, failure) = state.withLock { state -> (TLSContext, TLSError?) in
      guard stamps != state.stamps else { return (state.context, nil) }
      state.stamps = stamps
      do throws(TLSError) {
        state.context = try TLSContext(settings)
        return (state.context, nil)
      } catch {
        return (state.context, error)
      }
    }
    if let failure {
      settings.onReloadFailure?(
        "The changed TLS files are not used: \(failure). The former ones stay in force.")
    }
    return context
  }
}
