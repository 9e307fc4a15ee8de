/// The extensions that are set in a message.
public struct ExtensionFieldValueSet: Sendable {
  struct Entry: Sendable {
    let ext: any AnyMessageExtension
    var field: any AnyExtensionField
  }

  // In the order of the numbers. An optional, since nil costs less to copy than an empty array.
  private var storage: [Entry]?

  /// No extensions.
  public init() {}

  /// The extensions in the order of their numbers.
  var entries: [Entry] { storage ?? [] }

  /// Whether every required field of the messages inside is set.
  public var isInitialized: Bool { storage?.allSatisfy { $0.field.isInitialized } ?? true }

  /// The place of the first extension with this number or a higher one.
  private func index(from number: Int) -> Int {
    var low = 0
    var high = storage?.count ?? 0
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].ext.fieldNumber < number { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The extensions whose numbers are in a range.
  func entries(in range: Range<Int>) -> ArraySlice<Entry> {
    guard let storage else { return [] }
    return storage[index(from: range.lowerBound)..<index(from: range.upperBound)]
  }

  /// The field of an extension; nil if it is not set.
  func field(of ext: any AnyMessageExtension) -> (any AnyExtensionField)? {
    guard let storage else { return nil }
    let index = index(from: ext.fieldNumber)
    guard index < storage.count, storage[index].ext.fieldNumber == ext.fieldNumber else {
      return nil
    }
    return storage[index].field
  }

  /// Changes the field of an extension in place; it is kept if it is set afterwards.
  mutating func update<E: Error>(
    _ ext: any AnyMessageExtension,
    _ body: (inout any AnyExtensionField) throws(E) -> Void
  ) throws(E) {
    var all = storage ?? []
    let index = index(from: ext.fieldNumber)
    storage = nil
    defer { storage = all.isEmpty ? nil : all }
    if index == all.count || all[index].ext.fieldNumber != ext.fieldNumber {
      all.insert(Entry(ext: ext, field: ext._protobufNewField()), at: index)
    }
    defer { if !all[index].field._protobufIsSet { all.remove(at: index) } }
    try body(&all[index].field)
  }

  mutating func remove(_ ext: any AnyMessageExtension) {
    let index = index(from: ext.fieldNumber)
    guard index < entries.count, entries[index].ext.fieldNumber == ext.fieldNumber else { return }
    storage?.remove(at: index)
    if storage?.isEmpty == true { storage = nil }
  }
}

extension ExtensionFieldValueSet: Hashable {
  /// Whether both sets hold the same extensions with equal values.
  public static func == (left: ExtensionFieldValueSet, right: ExtensionFieldValueSet) -> Bool {
    left.entries.elementsEqual(right.entries) {
      $0.ext.fieldNumber == $1.ext.fieldNumber && $0.field.isEqual(to: $1.field)
    }
  }

  /// Feeds the extensions into a hasher.
  public func hash(into hasher: inout Hasher) {
    for entry in entries {
      hasher.combine(entry.ext.fieldNumber)
      entry.field.hash(into: &hasher)
    }
  }
}
