/// Finds names by the beginnings of their words: every word of every name, in the order of what follows from there.
struct WordIndex: Sendable {
    /// A word: its name, and where in the name's comparable form it starts.
    private struct Word {
        let name: NameTable.Index
        let start: UInt8
    }

    private var words: [Word] = []

    init(_ table: NameTable) {
        for name in 0..<NameTable.Index(table.count) {
            let bytes = table.foldedBytes(name)
            for index in bytes.indices where index == bytes.startIndex || bytes[index - 1] == UInt8(ascii: " ") {
                words.append(Word(name: name, start: UInt8(index - bytes.startIndex)))
            }
        }
        words.sort { one, other in
            let (first, second) = (table.suffix(one.name, one.start), table.suffix(other.name, other.start))
            if first.lexicographicallyPrecedes(second) { return true }
            if second.lexicographicallyPrecedes(first) { return false }
            return (one.name, one.start) < (other.name, other.start)
        }
    }

    /// The words that start with a prefix.
    func range(startingWith prefix: ArraySlice<UInt8>, in table: NameTable) -> Range<Int> {
        let start = partition { word in table.suffix(word.name, word.start).lexicographicallyPrecedes(prefix) }
        let end = partition { word in
            let suffix = table.suffix(word.name, word.start)
            return suffix.starts(with: prefix) || suffix.lexicographicallyPrecedes(prefix)
        }
        return start..<max(start, end)
    }

    /// The name that a word is part of.
    func name(_ word: Int) -> NameTable.Index {
        words[word].name
    }

    /// The first word for which something does not hold that holds for all before it.
    private func partition(_ holds: (Word) -> Bool) -> Int {
        var (low, high) = (0, words.count)
        while low < high {
            let middle = (low + high) / 2
            if holds(words[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension NameTable {
    /// A name's comparable form from one of its bytes on.
    fileprivate func suffix(_ name: Index, _ start: UInt8) -> ArraySlice<UInt8> {
        foldedBytes(name).dropFirst(Int(start))
    }
}
