/// Finds the words or names that are spelled similarly to a given one without comparing all: lengths and letters
/// exclude most of them.
struct SpellingIndex: Sendable {
    typealias Index = Int

    private struct Spelling: Sendable {
        let index: Index
        let bytes: [UInt8]
        let letters: UInt32
    }

    private var indexes: [[UInt8]: Index] = [:]
    private var spellings: [[UInt8]] = []
    private var byLength: [[Spelling]] = []

    var count: Int { indexes.count }

    /// Adds a spelling, if it is new.
    mutating func insert(_ bytes: [UInt8]) -> Index {
        if let known = indexes[bytes] { return known }
        let index = indexes.count
        indexes[bytes] = index
        spellings.append(bytes)
        while byLength.count <= bytes.count { byLength.append([]) }
        byLength[bytes.count].append(Spelling(index: index, bytes: bytes, letters: Self.letters(of: bytes)))
        return index
    }

    func index(of bytes: some Sequence<UInt8>) -> Index? {
        indexes[Array(bytes)]
    }

    func bytes(of index: Index) -> [UInt8] {
        spellings[index]
    }

    /// The spellings within a number of edits, and that number.
    /// - Parameters:
    ///   - most: the most edits that `bound` allows.
    ///   - bound: the edits allowed for a spelling of a length.
    func alike(
        _ text: ArraySlice<UInt8>, most: Int, within bound: (_ length: Int) -> Int
    ) -> [(index: Index, edits: Int)] {
        var found: [(Index, Int)] = []
        let letters = Self.letters(of: text)
        for length in max(1, text.count - most)...(text.count + most) where length < byLength.count {
            let bound = bound(length)
            guard bound > 0, abs(length - text.count) <= bound else { continue }
            for spelling in byLength[length]
            where (spelling.letters ^ letters).nonzeroBitCount <= 2 * bound {
                if let edits = EditDistance.between(text, spelling.bytes[...], atMost: bound) {
                    found.append((spelling.index, edits))
                }
            }
        }
        return found
    }

    /// Which letters occur. An edit changes two of these bits at most.
    private static func letters(of bytes: some Sequence<UInt8>) -> UInt32 {
        bytes.reduce(0) { $0 | 1 << UInt32($1 & 31) }
    }
}
