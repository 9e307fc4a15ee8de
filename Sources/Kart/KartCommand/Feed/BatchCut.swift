import KartAPI

/// How what a feed has gathered is cut into batches that the telemetry service takes.
///
/// Where the cuts are depends on the observations alone, so that a producer that repeats itself numbers its
/// batches the same.
struct BatchCut: Sendable {
  typealias Observation = Swiftkart_Telemetry_V1_Observation

  /// An observation that no batch can hold.
  struct Oversized: Error, Hashable, CustomStringConvertible {
    var kartNumber: Int32
    var bytes: Int
    var limit: Int

    var description: String {
      "the competitor of kart \(kartNumber) has \(bytes) bytes, and a batch has at most \(limit); "
        + "shorten its registration in the timing system"
    }
  }

  /// The observations of a batch, and at most how many bytes they take in it.
  struct Part {
    var observations: ArraySlice<Observation>
    var bytes: Int
  }

  /// How many observations a batch has at most.
  var observations = 10_000
  /// How many bytes a batch has at most, well below the 4 MiB that a message may have.
  var bytes = 1 << 20

  /// Cuts observations, in their order. None at all are one part.
  ///
  /// - Throws: ``Oversized``.
  func parts(of all: [Observation]) throws(Oversized) -> [Part] {
    var parts: [Part] = []
    var start = 0
    var taken = 0
    for (index, observation) in all.enumerated() {
      let size = observation.maximumBytes
      guard size <= bytes else {
        throw Oversized(
          kartNumber: observation.competitor.kartNumber, bytes: size, limit: bytes)
      }
      if index - start >= observations || taken + size > bytes {
        parts.append(Part(observations: all[start..<index], bytes: taken))
        start = index
        taken = 0
      }
      taken += size
    }
    return parts + [Part(observations: all[start...], bytes: taken)]
  }
}

extension Swiftkart_Telemetry_V1_Observation {
  /// What it takes in a batch, without being serialized for that. Numbers and times are at most 80 bytes, with their
  /// tags and lengths; text adds to that.
  fileprivate var maximumBytes: Int {
    guard case .competitor(let competitor) = kind else { return 80 }
    return 80 + competitor.name.utf8.count + competitor.registration.utf8.count
  }
}
