import KartProcess
import SwiftProtobuf

/// A followed race as lines of JSON, for programs; what becomes of the connection is told on
/// standard error.
actor FollowLines {
  private let race: String
  private var isBroken = false

  init(race: String) {
    self.race = race
  }

  func take(_ update: FollowUpdate) throws {
    switch update {
    case .connecting:
      break
    case .connected:
      if isBroken { StandardError.write("kart follow: following \(race) again\n") }
      isBroken = false
    case .event(let event):
      try StandardOutput.write("\(event.jsonString())\n")
    case .disconnected(let error, _):
      if !isBroken { StandardError.write("kart follow: reconnecting (\(error))\n") }
      isBroken = true
    }
  }
}
