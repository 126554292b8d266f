/// Finds names by the beginnings of their words: every word of every name, in the order of what follows from there.
struct WordIndex: Sendable {
    /// A word: its name, and where in the name's comparable form it starts.
    fileprivate struct Word {
        let name: NameTable.Index
        let start: UInt8
    }

    private var words: [Word] = []

    init(_ table: NameTable) {
        var found: [(beginning: UInt64, word: Word)] = []
        for name in 0..<NameTable.Index(table.count) {
            let bytes = table.foldedBytes(name)
            for index in bytes.indices where index == bytes.startIndex || bytes[index - 1] == UInt8(ascii: " ") {
                let word = Word(name: name, start: UInt8(index - bytes.startIndex))
                found.append((Self.beginning(of: bytes[index...]), word))
            }
        }
        found.sort { one, other in
            // The first eight letters nearly always decide, in a fraction of the time.
            one.beginning == other.beginning
                ? table.isOrdered(one.word, before: other.word) : one.beginning < other.beginning
        }
        words = found.map(\.word)
    }

    /// The first eight bytes as a number that sorts as they do.
    private static func beginning(of bytes: ArraySlice<UInt8>) -> UInt64 {
        var number: UInt64 = 0
        var count: UInt64 = 0
        for byte in bytes.prefix(8) {
            number = number << 8 | UInt64(byte)
            count += 1
        }
        return count == 0 ? 0 : number << (8 * (8 - count))
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

    /// The first word that does not satisfy a condition; all words before it do.
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
    fileprivate func isOrdered(_ one: WordIndex.Word, before other: WordIndex.Word) -> Bool {
        let (first, second) = (suffix(one.name, one.start), suffix(other.name, other.start))
        if first.lexicographicallyPrecedes(second) { return true }
        if second.lexicographicallyPrecedes(first) { return false }
        return (one.name, one.start) < (other.name, other.start)
    }

    /// A name's comparable form from one of its bytes on.
    fileprivate func suffix(_ name: Index, _ start: UInt8) -> ArraySlice<UInt8> {
        foldedBytes(name).dropFirst(Int(start))
    }
}
