/// The names of sensitive taxa, to be recognised where a text that fits no taxon holds one of them: misspelled, in the
/// plural, with the genus cut to its initial, or among other words.
///
/// It errs on the side of care: what is taken for sensitive by mistake is only shown less exactly.
struct SensitiveNames: Sendable {
    private struct Name: Sendable {
        let words: [ArraySlice<UInt8>]
        let category: SensitivityCategory
        let isScientific: Bool
    }

    private let names: [Name]
    /// No name stands behind so many words.
    private static let mostWords = 40

    init(_ table: NameTable, _ tree: TaxonTree) {
        names = (0..<NameTable.Index(table.count)).compactMap { name in
            guard let category = tree.sensitivities[Int(table.taxon(name))] else { return nil }
            return Name(
                words: Self.words(table.foldedBytes(name)), category: category,
                isScientific: table.sourceRank(name) < 2)
        }
    }

    /// The most sensitive category of the taxa that a comparable text may mean; nil for none.
    func category(of folded: [UInt8]) -> SensitivityCategory? {
        let text = Self.words(folded[...])
        return names.reduce(nil) { found, name in
            Self.holds(text, name) ? .mostSensitive(found, name.category) : found
        }
    }

    private static func words(_ folded: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        let isLetter = { (byte: UInt8) in byte >= 0x80 || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
        return Array(folded.split { !isLetter($0) }.prefix(mostWords))
    }

    private static func holds(_ text: [ArraySlice<UInt8>], _ name: Name) -> Bool {
        name.words.indices.allSatisfy { index in
            let word = name.words[index]
            let mayBeCut = name.isScientific && index == name.words.startIndex && name.words.count > 1
            return text.contains { isLike($0, word) || mayBeCut && $0.count == 1 && $0.first == word.first }
        } && !name.words.isEmpty
    }

    /// Short words are soon another word; long ones may hold two slips, of which a plural is one.
    private static func isLike(_ one: ArraySlice<UInt8>, _ word: ArraySlice<UInt8>) -> Bool {
        if one == word || one.dropLast() == word && one.last == UInt8(ascii: "s") { return true }
        let slips = word.count >= 8 ? 2 : word.count >= 5 ? 1 : 0
        return slips > 0 && EditDistance.between(one, word, atMost: slips) != nil
    }
}
