import KartAPI
import RaceControl
import SwiftProtobuf

extension Swiftkart_Telemetry_V1_Observation {
  /// How many bytes of a competitor's name are told, as many as the schedule takes of a driver's.
  static let longestName = 200

  /// An observation as the telemetry service takes it. A name that is too long for a name is cut.
  init(_ observation: Observation) {
    self.init()
    observedAt = Google_Protobuf_Timestamp(observation.observedAt)
    switch observation.kind {
    case .sessionStart(let start):
      sessionStart.kind = .init(start.kind)
      sessionStart.laps = start.laps
    case .competitor(let entry):
      competitor.kartNumber = entry.kartNumber
      competitor.name = String(entry.name.prefix(bytes: Self.longestName))
      if !entry.registration.isEmpty { competitor.registration = entry.registration }
    case .location(let fix):
      location.kartNumber = fix.kartNumber
      location.latitude = fix.coordinate.latitude
      location.longitude = fix.coordinate.longitude
    case .crossing(let lap):
      crossing.kartNumber = lap.kartNumber
      crossing.lap = lap.lap
      crossing.totalTime = Google_Protobuf_Duration(rounding: lap.totalTime)
    case .flag(let change):
      flag.flag = .init(change.flag)
      if let time = change.totalTime { flag.totalTime = Google_Protobuf_Duration(rounding: time) }
    case .correction(let change):
      correction.kartNumber = change.kartNumber
      correction.laps = change.laps
      correction.totalTime = Google_Protobuf_Duration(rounding: change.totalTime)
    case .sessionClear:
      sessionClear = .init()
    case .bestLap(let best):
      bestLap.kartNumber = best.kartNumber
      bestLap.lap = best.lap
      bestLap.lapTime = Google_Protobuf_Duration(rounding: best.lapTime)
    }
  }
}

extension Google_Protobuf_Timestamp {
  /// The same time.
  init(_ instant: UTCInstant) {
    self.init()
    seconds = instant.seconds
    nanos = instant.nanoseconds
  }
}

extension Swiftkart_Telemetry_V1_SessionKind {
  fileprivate init(_ kind: SessionKind) {
    switch kind {
    case .race: self = .race
    case .practice: self = .practice
    case .qualifying: self = .qualifying
    }
  }
}

extension Swiftkart_Telemetry_V1_Flag {
  fileprivate init(_ flag: Flag?) {
    switch flag {
    case .green: self = .green
    case .yellow: self = .yellow
    case .red: self = .red
    case .finish: self = .finish
    case nil: self = .unspecified
    }
  }
}

extension String {
  /// The longest beginning of whole characters that has no more than so many bytes.
  fileprivate func prefix(bytes: Int) -> Substring {
    guard utf8.count > bytes else { return self[...] }
    var left = bytes
    return prefix { character in
      left -= character.utf8.count
      return left >= 0
    }
  }
}
