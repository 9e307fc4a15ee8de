/// Streams of messages in the binary format, each behind its length as a varint.
///
/// Other implementations call this `writeDelimitedTo` and `parseDelimitedFrom`.
///
/// ```swift
/// var log: [UInt8] = []
/// try BinaryDelimited.serialize(message: lap, to: &log)
/// var bytes = log.makeIterator()
/// while let lap = try BinaryDelimited.parse(messageType: Lap.self, from: &bytes) { … }
/// ```
///
/// Messages that come over time are read with
/// ``_Concurrency/AsyncSequence/binaryProtobufDelimitedMessages(of:extensions:partial:options:)``.
public enum BinaryDelimited {
  /// Why a stream can't be read on.
  public enum Error: Swift.Error, Hashable, Sendable {
    /// The stream ends inside a message or its length.
    case truncated
    /// A length is no varint, or 2 GiB or more.
    case malformedLength
  }

  /// Writes a message with its length.
  ///
  /// - Parameters:
  ///   - message: what to write.
  ///   - output: where it is added.
  ///   - partial: whether required fields may be missing.
  ///   - options: how to write.
  /// - Throws: ``BinaryEncodingError``; nothing is added then.
  public static func serialize(
    message: some Message, to output: inout some RangeReplaceableCollection<UInt8>,
    partial: Bool = false, options: BinaryEncodingOptions = BinaryEncodingOptions()
  ) throws(BinaryEncodingError) {
    let bytes: [UInt8] = try message.serializedBytes(partial: partial, options: options)
    var length = bytes.count
    while length >= 0x80 {
      output.append(UInt8(truncatingIfNeeded: length) | 0x80)
      length >>= 7
    }
    output.append(UInt8(truncatingIfNeeded: length))
    output.append(contentsOf: bytes)
  }

  /// Reads the next message of a stream.
  ///
  /// - Parameters:
  ///   - messageType: its type.
  ///   - input: the stream, which is left behind the message. Memory is taken as its bytes come,
  ///     whatever the length says.
  ///   - extensions: the extensions that are no unknown fields.
  ///   - partial: whether required fields may be missing.
  ///   - options: how to read.
  /// - Returns: the message; nil at the end of the stream.
  /// - Throws: ``Error``, or the ``BinaryDecodingError`` of the message, whose offset counts from
  ///   behind the length.
  public static func parse<M: Message>(
    messageType: M.Type = M.self, from input: inout some IteratorProtocol<UInt8>,
    extensions: (any ExtensionMap)? = nil, partial: Bool = false,
    options: BinaryDecodingOptions = BinaryDecodingOptions()
  ) throws -> M? {
    var message = M()
    let isThere = try merge(
      into: &message, from: &input, extensions: extensions, partial: partial, options: options)
    return isThere ? message : nil
  }

  /// Merges the next message of a stream: see
  /// ``parse(messageType:from:extensions:partial:options:)``.
  ///
  /// - Returns: false at the end of the stream.
  /// - Throws: as it does.
  public static func merge(
    into message: inout some Message, from input: inout some IteratorProtocol<UInt8>,
    extensions: (any ExtensionMap)? = nil, partial: Bool = false,
    options: BinaryDecodingOptions = BinaryDecodingOptions()
  ) throws -> Bool {
    var frame = DelimitedFrame()
    while let byte = input.next() {
      guard try frame.take(byte) else { continue }
      try message.merge(
        serializedBytes: frame.body, extensions: extensions, partial: partial, options: options)
      return true
    }
    if frame.isStarted { throw Error.truncated }
    return false
  }
}
