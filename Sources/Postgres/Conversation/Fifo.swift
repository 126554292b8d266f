/// A queue: in at the end, out at the front, both in constant time.
struct Fifo<Element> {
    private var storage: [Element?] = []
    private var head = 0

    var count: Int { storage.count - head }
    var isEmpty: Bool { count == 0 }

    var first: Element? { isEmpty ? nil : storage[head] }

    /// Changes the first element in place, without a copy.
    mutating func updateFirst<Result>(_ change: (inout Element) -> Result) -> Result? {
        guard !isEmpty, var element = storage[head] else { return nil }
        storage[head] = nil
        defer { storage[head] = element }
        return change(&element)
    }

    mutating func append(_ element: Element) {
        storage.append(element)
    }

    /// Puts an element before all others.
    mutating func prepend(_ element: Element) {
        if head > 0 {
            head -= 1
            storage[head] = element
        } else {
            storage.insert(element, at: 0)
        }
    }

    mutating func popFirst() -> Element? {
        guard !isEmpty, let element = storage[head] else { return nil }
        storage[head] = nil
        head += 1
        // Half of it is behind us: move the rest down, which is paid for by the elements that have left.
        if head >= 64, head * 2 >= storage.count {
            storage.removeFirst(head)
            head = 0
        }
        return element
    }

    /// Takes the first element out for which `predicate` holds.
    mutating func removeFirst(where predicate: (Element) -> Bool) -> Element? {
        guard
            let index = storage[head...].firstIndex(where: { $0.map(predicate) ?? false }),
            let element = storage[index]
        else { return nil }
        storage.remove(at: index)
        return element
    }

    mutating func removeAll() -> [Element] {
        defer {
            storage = []
            head = 0
        }
        return storage[head...].compactMap { $0 }
    }
}

extension Fifo: Sendable where Element: Sendable {}
