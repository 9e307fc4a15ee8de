import GRPCCore

/// A server's load as it reports it at the end of a call: the utilizations and rates of ORCA's
/// `xds.data.orca.v3.OrcaLoadReport`.
///
/// A handler adds one to its trailing metadata with ``/GRPCCore/Metadata/addLoadReport(_:)``. See gRPC's
/// proposal A51.
public struct LoadReport: Sendable, Hashable {
  /// The metadata key under which a report travels.
  public static let metadataKey = "endpoint-load-metrics-bin"

  /// The part of the processors' time that is used; more than 1 if work waits for them.
  public var cpuUtilization: Double
  /// The part of whatever limits the application that is used; 0 if it does not say.
  public var applicationUtilization: Double
  /// Requests per second.
  public var requestsPerSecond: Double
  /// Requests per second that failed.
  public var errorsPerSecond: Double

  /// Makes a report.
  ///
  /// - Parameters:
  ///   - cpuUtilization: The part of the processors' time that is used.
  ///   - applicationUtilization: The part of whatever limits the application that is used.
  ///   - requestsPerSecond: Requests per second.
  ///   - errorsPerSecond: Requests per second that failed.
  public init(
    cpuUtilization: Double = 0, applicationUtilization: Double = 0, requestsPerSecond: Double = 0,
    errorsPerSecond: Double = 0
  ) {
    self.cpuUtilization = cpuUtilization
    self.applicationUtilization = applicationUtilization
    self.requestsPerSecond = requestsPerSecond
    self.errorsPerSecond = errorsPerSecond
  }

  /// The numbers of the message's fields; all are doubles but `rps`, which came before `rps_fractional`.
  private enum Field {
    static let cpuUtilization = 1
    static let requestsPerSecondAsInteger = 3
    static let requestsPerSecond = 6
    static let errorsPerSecond = 7
    static let applicationUtilization = 9
  }

  /// Reads the message; nil if it is none.
  init?(serialized bytes: [UInt8]) {
    self.init()
    var rest = bytes[...]
    while !rest.isEmpty {
      guard let tag = Self.varint(&rest) else { return nil }
      switch tag & 7 {
      case 0:
        guard let value = Self.varint(&rest) else { return nil }
        if tag >> 3 == Field.requestsPerSecondAsInteger, requestsPerSecond == 0 {
          requestsPerSecond = Double(value)
        }
      case 1:
        guard rest.count >= 8 else { return nil }
        let bits = rest.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        set(Int(tag >> 3), Double(bitPattern: bits))
        rest = rest.dropFirst(8)
      case 2:
        guard let count = Self.varint(&rest), count <= UInt64(rest.count) else { return nil }
        rest = rest.dropFirst(Int(count))
      case 5:
        guard rest.count >= 4 else { return nil }
        rest = rest.dropFirst(4)
      default: return nil
      }
    }
  }

  /// The report as the message's bytes.
  var serialized: [UInt8] {
    let values = [
      (Field.cpuUtilization, cpuUtilization), (Field.requestsPerSecond, requestsPerSecond),
      (Field.errorsPerSecond, errorsPerSecond),
      (Field.applicationUtilization, applicationUtilization),
    ]
    var bytes: [UInt8] = []
    for (field, value) in values where value != 0 {
      bytes.append(UInt8(field << 3 | 1))
      for shift in stride(from: 0, to: 64, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: value.bitPattern >> UInt64(shift)))
      }
    }
    return bytes
  }

  private mutating func set(_ field: Int, _ value: Double) {
    guard value.isFinite, value >= 0 else { return }
    switch field {
    case Field.cpuUtilization: cpuUtilization = value
    case Field.requestsPerSecond: requestsPerSecond = value
    case Field.errorsPerSecond: errorsPerSecond = value
    case Field.applicationUtilization: applicationUtilization = value
    default: break
    }
  }

  static func varint(_ bytes: inout ArraySlice<UInt8>) -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard let byte = bytes.popFirst() else { return nil }
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return value }
    }
    return nil
  }
}

extension Metadata {
  /// Adds a report of the server's load, for the trailing metadata of a response.
  ///
  /// - Parameter report: The report.
  public mutating func addLoadReport(_ report: LoadReport) {
    addBinary(report.serialized, forKey: LoadReport.metadataKey)
  }

  /// The report of the server's load, if there is one.
  public var loadReport: LoadReport? {
    var values = self[binaryValues: LoadReport.metadataKey].makeIterator()
    return values.next().flatMap { LoadReport(serialized: Array($0)) }
  }
}
