/// The names of sensitive taxa, to be recognised where a text that fits no taxon holds one of them: misspelled, in the
/// plural, with the genus cut to its initial, in one word or in more, or among other words.
///
/// It errs on the side of caution: a false match only makes a place less exact.
struct SensitiveNames: Sendable {
    private typealias Word = ArraySlice<UInt8>

    private struct Name: Sendable {
        let words: [Word]
        let joined: [UInt8]
        let category: SensitivityCategory
        let isScientific: Bool
    }

    private let names: [Name]
    /// Shorter ones may be part of words that mean something else.
    private static let fewestJoined = 8

    init(_ table: NameTable, _ tree: TaxonTree) {
        names = (0..<NameTable.Index(table.count)).compactMap { name in
            guard let category = tree.sensitivities[Int(table.taxon(name))] else { return nil }
            let words = Self.words(table.foldedBytes(name))
            return Name(
                words: words, joined: Array(words.joined()), category: category,
                isScientific: table.sourceRank(name) < 2)
        }
    }

    /// The most sensitive category of the taxa that a comparable text may mean; nil for none.
    func category(of folded: [UInt8]) -> SensitivityCategory? {
        let text = Self.words(folded[...])
        let joined = Array(text.joined())
        return names.reduce(nil) { found, name in
            Self.holds(text, joined, name) ? .mostSensitive(found, name.category) : found
        }
    }

    private static func words(_ folded: Word) -> [Word] {
        let isLetter = { (byte: UInt8) in byte >= 0x80 || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
        return folded.split { !isLetter($0) }
    }

    private static func holds(_ text: [Word], _ joined: [UInt8], _ name: Name) -> Bool {
        if name.joined.count >= fewestJoined, joined.contains(name.joined) { return true }
        return !name.words.isEmpty
            && name.words.indices.allSatisfy { index in
                let word = name.words[index]
                let mayBeCut = name.isScientific && index == name.words.startIndex && name.words.count > 1
                return text.contains {
                    isLike($0, word, isAlone: name.words.count == 1)
                        || mayBeCut && $0.count <= 3 && word.starts(with: $0)
                }
            }
    }

    private static func isLike(_ one: Word, _ word: Word, isAlone: Bool) -> Bool {
        let slips = slips(one, word, isAlone: isAlone)
        return one == word || isPlural(one, of: word)
            || slips > 0 && EditDistance.between(one, word, atMost: slips) != nil
    }

    /// Edits tolerated: two from 8 letters, one from 5, and fewer in shorter words, where one edit soon makes another
    /// word.
    private static func slips(_ one: Word, _ word: Word, isAlone: Bool) -> Int {
        switch word.count {
        case 8...: 2
        case 5...: 1
        case 4: isAlone ? 0 : 1
        // "owll", but not "own".
        case 3: !isAlone && one.count == 4 ? 1 : 0
        default: 0
        }
    }

    /// "owls", "lynxes", "wolves"
    private static func isPlural(_ one: Word, of word: Word) -> Bool {
        guard one.last == UInt8(ascii: "s") else { return false }
        let stem = one.dropLast()
        return stem == word || stem.last == UInt8(ascii: "e") && stem.dropLast() == word
            || word.last == UInt8(ascii: "f") && stem.elementsEqual(word.dropLast() + Array("ve".utf8))
    }
}
