import KartAPI

/// An event of a race on its way from a tracker to the followers: encoded once, and shared from there on.
package typealias RelayedEvent = Swiftkart_Relay_V1_RaceEvent

extension RelayedEvent {
  /// - Parameters:
  ///   - sequence: The event's number in its race.
  ///   - type: What it tells.
  ///   - response: The serialized `FollowRaceResponse`.
  package init(sequence: UInt64, type: RaceEventType, response: [UInt8]) {
    self.init()
    self.sequence = sequence
    self.type = type
    self.response = response
  }
}
