/// A first-in, first-out queue in one array.
struct Queue<Element> {
  private var elements: [Element?] = []
  private var head = 0

  var isEmpty: Bool { head == elements.count }
  var count: Int { elements.count - head }

  mutating func append(_ element: Element) {
    elements.append(element)
  }

  mutating func popFirst() -> Element? {
    guard head < elements.count, let first = elements[head] else { return nil }
    elements[head] = nil
    head += 1
    if head == elements.count {
      elements.removeAll(keepingCapacity: true)
      head = 0
    } else if head >= 64, 2 * head >= elements.count {
      elements.removeFirst(head)
      head = 0
    }
    return first
  }

  func contains(where condition: (Element) -> Bool) -> Bool {
    elements[head...].contains { $0.map(condition) ?? false }
  }

  func count(where condition: (Element) -> Bool) -> Int {
    elements[head...].count { $0.map(condition) ?? false }
  }

  mutating func removeAll(where condition: (Element) -> Bool = { _ in true }) {
    elements = elements[head...].filter { !($0.map(condition) ?? true) }
    head = 0
  }
}
