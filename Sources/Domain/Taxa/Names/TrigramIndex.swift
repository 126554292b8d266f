/// Finds names that share runs of three letters with a text: for infixes, and for misspelled names.
///
/// Letters are distinguished, other characters only roughly: hits are always compared in full.
struct TrigramIndex: Sendable {
    /// Names by trigram, one run after the other.
    private var names: [NameTable.Index]
    /// Where each trigram's run starts; one more than there are trigrams.
    private var starts: [UInt32]

    private static let trigrams = 1 << 15

    init(_ table: NameTable) {
        var counts = [UInt32](repeating: 0, count: Self.trigrams + 1)
        for name in 0..<NameTable.Index(table.count) {
            for trigram in Self.distinct(table.foldedBytes(name), padded: true) { counts[trigram + 1] += 1 }
        }
        for trigram in 0..<Self.trigrams { counts[trigram + 1] += counts[trigram] }
        starts = counts
        names = [NameTable.Index](repeating: 0, count: Int(counts[Self.trigrams]))
        var next = counts
        for name in 0..<NameTable.Index(table.count) {
            for trigram in Self.distinct(table.foldedBytes(name), padded: true) {
                names[Int(next[trigram])] = name
                next[trigram] += 1
            }
        }
    }

    /// The names that hold a trigram, in the order of names.
    func names(with trigram: Int) -> ArraySlice<NameTable.Index> {
        names[Int(starts[trigram])..<Int(starts[trigram + 1])]
    }

    /// The trigrams of a text, each once, in order. Padding adds those of its beginning and its end.
    static func distinct(_ text: some Collection<UInt8>, padded: Bool) -> [Int] {
        var found: [Int] = []
        var (window, length) = (0, 0)
        func take(_ code: Int) {
            window = (window << 5 | code) & (trigrams - 1)
            length += 1
            if length >= 3 { found.append(window) }
        }
        if padded { take(0) }
        for byte in text { take(code(byte)) }
        if padded { take(0) }
        found.sort()
        var last = -1
        return found.filter { trigram in
            defer { last = trigram }
            return trigram != last
        }
    }

    private static func code(_ byte: UInt8) -> Int {
        switch byte {
        case UInt8(ascii: " "): 0
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte - UInt8(ascii: "a")) + 1
        default: 27 + Int(byte % 5)
        }
    }
}
