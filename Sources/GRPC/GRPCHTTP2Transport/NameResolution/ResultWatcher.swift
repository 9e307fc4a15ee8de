import EventLoop
import GRPCCore

/// Keeps what is seen in a folder current.
///
/// `@unchecked Sendable` holds because it is started, called and stopped on its loop alone.
final class ResultWatcher: @unchecked Sendable {
  private let folder: String
  private let file: String?
  private let loop: EventLoop
  private let rescanInterval: Duration
  private let look: (_ former: NameResolutionResult?) -> NameResolutionResult
  private let onChange: (NameResolutionResult) -> Void
  private var watch: FolderWatch?
  private var timer: ScheduledTimer?
  private var result: NameResolutionResult?
  private var isStopped = false

  /// Makes a watcher.
  ///
  /// - Parameters:
  ///   - folder: Where the files are.
  ///   - file: The one that matters; all do if nil.
  ///   - loop: Where to watch.
  ///   - rescanInterval: How often to look without having been told of a change.
  ///   - look: Says what the result is, given what it was.
  ///   - onChange: Takes a result that is not the one before.
  init(
    folder: String, file: String? = nil, loop: EventLoop, rescanInterval: Duration,
    look: @escaping (_ former: NameResolutionResult?) -> NameResolutionResult,
    onChange: @escaping (NameResolutionResult) -> Void
  ) {
    self.folder = folder
    self.file = file
    self.loop = loop
    self.rescanInterval = rescanInterval
    self.look = look
    self.onChange = onChange
  }

  func start() {
    guard !isStopped else { return }
    // The watch holds its closure, and the loop the watch, until it is stopped.
    watch = FolderWatch(path: folder, file: file, loop: loop) { [weak self] in self?.scan() }
    rescan()
  }

  func stop() {
    isStopped = true
    timer?.cancel()
    watch?.stop()
  }

  private func rescan() {
    watch?.placeWatches()
    scan()
    timer = loop.schedule(after: rescanInterval) { [weak self] in self?.rescan() }
  }

  private func scan() {
    let found = look(result)
    guard found != result else { return }
    result = found
    onChange(found)
  }
}

extension NameResolver {
  /// A resolver that pushes what files stand for whenever that changes.
  static func watching(
    folder: String, file: String? = nil, on loop: EventLoop, rescanInterval: Duration,
    authority: String,
    look: @escaping @Sendable (_ former: NameResolutionResult?) -> NameResolutionResult
  ) -> NameResolver {
    let (results, continuation) = AsyncThrowingStream.makeStream(
      of: NameResolutionResult.self, bufferingPolicy: .bufferingNewest(1))
    let watcher = ResultWatcher(
      folder: folder, file: file, loop: loop, rescanInterval: rescanInterval, look: look
    ) { continuation.yield($0) }
    continuation.onTermination = { _ in loop.execute { watcher.stop() } }
    loop.execute { watcher.start() }
    return NameResolver(
      names: RPCAsyncSequence(wrapping: results), updateMode: .push, authority: authority)
  }
}
