import KartProcess
import SwiftProtobuf

/// A followed race as lines of JSON, for programs; what becomes of the connection is told on
/// standard error.
actor FollowLines {
  /// After how long without an event that is told.
  static let patience = Duration.seconds(5)

  /// As a terminal may show it.
  private let race: String
  private let output: @Sendable (String) throws -> Void
  private let errors: @Sendable (String) -> Void
  private var isBroken = false
  private var isConnected = false
  private var isQuiet = true
  private var isQuietTold = false

  /// - Parameters:
  ///   - race: The race's name.
  ///   - output: Takes the events.
  ///   - errors: Takes what becomes of the connection.
  init(
    race: String,
    output: @escaping @Sendable (String) throws -> Void = { try StandardOutput.write($0) },
    errors: @escaping @Sendable (String) -> Void = { StandardError.write($0) }
  ) {
    self.race = race.escapedForDisplay
    self.output = output
    self.errors = errors
  }

  func take(_ update: FollowUpdate) throws {
    switch update {
    case .connecting:
      break
    case .connected:
      if isBroken { errors("kart follow: following \(race) again\n") }
      isBroken = false
      isConnected = true
    case .event(let event):
      isQuiet = false
      isQuietTold = false
      try output("\(event.jsonString())\n")
    case .disconnected(let error, _):
      if !isBroken { errors("kart follow: reconnecting (\("\(error)".escapedForDisplay))\n") }
      isBroken = true
      isConnected = false
    }
  }

  /// Tells, once each time, when no events come although the gateway is there, until the task is
  /// cancelled. The gateway does not say why: a race that is not on has none either.
  func watch(by clock: some Clock<Duration>) async throws {
    while true {
      isQuiet = true
      try await clock.sleep(for: Self.patience)
      guard isQuiet, isConnected, !isQuietTold else { continue }
      isQuietTold = true
      errors(
        "kart follow: no event of \(race) for \(Self.patience.optionText): it is not on, or no tracker "
          + "answers the gateway; waiting\n")
    }
  }
}
