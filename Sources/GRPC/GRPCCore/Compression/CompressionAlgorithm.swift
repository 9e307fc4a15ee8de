/// A way to compress messages.
///
/// See gRPC's "Compression" document.
public struct CompressionAlgorithm: Hashable, Sendable, CustomStringConvertible {
  private enum Kind: UInt8, CaseIterable {
    case none
    case deflate
    case gzip
  }

  private let kind: Kind

  /// Not at all.
  public static let none = Self(kind: .none)
  /// DEFLATE in zlib's format (RFC 1950).
  public static let deflate = Self(kind: .deflate)
  /// DEFLATE in gzip's format (RFC 1952).
  public static let gzip = Self(kind: .gzip)

  /// The algorithm's name in a header: `identity`, `deflate` or `gzip`.
  public var description: String {
    switch kind {
    case .none: "identity"
    case .deflate: "deflate"
    case .gzip: "gzip"
    }
  }

  fileprivate var bit: UInt32 { 1 << UInt32(kind.rawValue) }

  fileprivate static var all: [Self] { Kind.allCases.map(Self.init) }
}

/// Ways to compress messages.
public struct CompressionAlgorithmSet: OptionSet, Hashable, Sendable {
  /// A bit for each algorithm.
  public var rawValue: UInt32

  /// Creates a set.
  ///
  /// - Parameter rawValue: A bit for each algorithm.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Creates a set of some algorithms.
  ///
  /// - Parameter algorithms: The algorithms.
  public init(_ algorithms: some Sequence<CompressionAlgorithm>) {
    rawValue = algorithms.reduce(0) { $0 | $1.bit }
  }

  /// Not to compress.
  public static let none = Self([CompressionAlgorithm.none])
  /// DEFLATE in zlib's format.
  public static let deflate = Self([CompressionAlgorithm.deflate])
  /// DEFLATE in gzip's format.
  public static let gzip = Self([CompressionAlgorithm.gzip])
  /// Every algorithm there is.
  public static let all: Self = [.none, .deflate, .gzip]

  /// Whether an algorithm is in the set.
  ///
  /// - Parameter algorithm: The algorithm.
  public func contains(_ algorithm: CompressionAlgorithm) -> Bool {
    rawValue & algorithm.bit != 0
  }

  /// The algorithms of the set.
  public var elements: [CompressionAlgorithm] {
    CompressionAlgorithm.all.filter(contains)
  }
}
