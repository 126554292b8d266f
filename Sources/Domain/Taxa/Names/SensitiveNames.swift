/// Recognises the names of sensitive taxa in a text that is not itself a taxon's name: misspelled, in the plural, with
/// the genus abbreviated to its initial, with digits for letters, in one word or in several, or among other words.
///
/// It errs on the side of caution: a false match only makes a place less exact. The time grows with the text's length:
/// some tens of microseconds for 200 letters.
struct SensitiveNames: Sendable {
    /// How a name counts.
    enum Kind: Sendable {
        /// An accepted name, a synonym or a common name. Misspellings count too.
        case scientific, common
        /// An everyday name, the last word of an English name, or a code. A single word does not count where it is part
        /// of the name of a taxon that is not sensitive; its misspellings count only from six letters on.
        case everyday
    }

    private struct Name: Sendable {
        let words: [SpellingIndex.Index]
        /// The length of its first word.
        let length: Int
        /// The abbreviations of its first word, if it may be cut.
        let genus: [UInt8]?
        let category: SensitivityCategory
        /// Whether it is a single everyday word.
        let isEveryday: Bool
    }

    private var vocabulary = SpellingIndex()
    private var names: [Name] = []
    private var joined = JoinedNames()
    /// Whole names, for texts that are misspellings of a whole name.
    private var wholes = SpellingIndex()
    private var wholeCategories: [SensitivityCategory?] = []

    /// Adds a name in its comparable form.
    mutating func insert(_ folded: [UInt8], _ category: SensitivityCategory, _ kind: Kind) {
        let words = NameWords(folded)
        guard let first = words.words.first else { return }
        let whole = words.joined[0]
        let isEveryday = kind == .everyday && words.words.count == 1
        if Set(words.words).count == 1 {
            // "Gulo gulo" is one word; as two, either would be found misspelled in "gull".
            add([Array(first)], category, isEveryday: isEveryday)
        } else {
            add(words.words.map { Array($0) }, genus: kind == .scientific ? Array(first) : nil, category)
            add([whole], category)
        }
        joined.insert(whole, category, isEveryday: isEveryday)
        guard kind != .everyday else { return }
        let index = wholes.insert(folded)
        if index == wholeCategories.count { wholeCategories.append(nil) }
        wholeCategories[index] = .mostSensitive(wholeCategories[index], category)
    }

    private mutating func add(
        _ words: [[UInt8]], genus: [UInt8]? = nil, _ category: SensitivityCategory, isEveryday: Bool = false
    ) {
        names.append(
            Name(
                words: words.map { vocabulary.insert($0) }, length: words[0].count, genus: genus, category: category,
                isEveryday: isEveryday))
    }

    /// The most sensitive category of the taxa that a comparable text may mean; nil for none.
    /// - Parameter others: the words of a text that are part of the name of a taxon that is not sensitive.
    func category(of folded: [UInt8], others: ([NameWords.Word]) -> [Bool]) -> SensitivityCategory? {
        let text = NameWords(folded)
        var category = category(like: folded)
        let near = nearest(to: text)
        category = .mostSensitive(category, self.category(of: text, near, isEveryday: false))
        guard let everyday = self.category(of: text, near, isEveryday: true) else { return category }
        let isOther = others(text.words)
        guard isOther.contains(true) else { return .mostSensitive(category, everyday) }
        let rest = text.without(isOther)
        return .mostSensitive(category, self.category(of: rest, nearest(to: rest), isEveryday: true))
    }

    private func category(of text: NameWords, _ near: [UInt8], isEveryday: Bool) -> SensitivityCategory? {
        let found = joined.category(in: text.joined, isEveryday: isEveryday)
        return names.reduce(found) { found, name in
            name.isEveryday == isEveryday && isHeld(name, by: text, near) ? .mostSensitive(found, name.category) : found
        }
    }

    /// The most sensitive category of the names that the matcher would suggest for a text; nil for none.
    private func category(like folded: [UInt8]) -> SensitivityCategory? {
        let bound = TaxonNames.editsTolerated(in: folded)
        return wholes.alike(folded[...], most: bound) { _ in bound }
            .reduce(nil) { .mostSensitive($0, wholeCategories[$1.index]) }
    }

    private func isHeld(_ name: Name, by text: NameWords, _ near: [UInt8]) -> Bool {
        if name.words.count == 1 {
            return near[name.words[0]] <= Self.editsAlone(name.length, isEveryday: name.isEveryday)
        }
        guard name.words.dropFirst().allSatisfy({ near[$0] != Self.far }) else { return false }
        if near[name.words[0]] != Self.far { return true }
        guard let genus = name.genus else { return false }
        return text.words.contains { $0.count <= 3 && genus.starts(with: $0) }
    }
}

// MARK: - Words

extension SensitiveNames {
    private static let far = UInt8.max

    /// For each word of the vocabulary, the number of edits to the nearest word of a text.
    private func nearest(to text: NameWords) -> [UInt8] {
        var near = [UInt8](repeating: Self.far, count: vocabulary.count)
        var seen = Set<NameWords.Word>()
        for word in text.words + (text.spelled + text.joined).map({ $0[...] }) where seen.insert(word).inserted {
            for (ordinal, singular) in NameWords.singulars(of: word).enumerated() {
                if let same = vocabulary.index(of: singular) { near[same] = 0 }
                // An "s" too many is an edit; its misspelled singular may be another one.
                guard ordinal < 2 else { continue }
                let alike = vocabulary.alike(singular, most: 2) { Self.editsAmongOthers($0, in: singular.count) }
                for (index, edits) in alike { near[index] = min(near[index], UInt8(edits)) }
            }
        }
        return near
    }

    /// Edits tolerated in a word of a name of several words: two from 8 letters on, one from 4 on; with three letters,
    /// only one additional letter ("owll", but not "own").
    private static func editsAmongOthers(_ length: Int, in text: Int) -> Int {
        switch length {
        case 8...: 2
        case 4...: 1
        case 3: text == 4 ? 1 : 0
        default: 0
        }
    }

    /// Edits tolerated in a name of one word, where few edits suffice to make another word.
    private static func editsAlone(_ length: Int, isEveryday: Bool) -> UInt8 {
        switch length {
        case 8...: 2
        case 6...: 1
        case 5: isEveryday ? 0 : 1
        default: 0
        }
    }
}

/// Names written as one word, to be found anywhere in a text without its spaces.
private struct JoinedNames: Sendable {
    private struct Name: Sendable {
        let bytes: [UInt8]
        let category: SensitivityCategory
        let isEveryday: Bool
    }

    /// By their first letters. Shorter names may be part of words that mean something else.
    private var names: [ArraySlice<UInt8>: [Name]] = [:]
    private static let fewest = 8

    mutating func insert(_ bytes: [UInt8], _ category: SensitivityCategory, isEveryday: Bool) {
        guard bytes.count >= Self.fewest else { return }
        names[bytes.prefix(Self.fewest), default: []]
            .append(Name(bytes: bytes, category: category, isEveryday: isEveryday))
    }

    func category(in texts: [[UInt8]], isEveryday: Bool) -> SensitivityCategory? {
        var found: SensitivityCategory?
        for text in texts where text.count >= Self.fewest {
            for start in 0...(text.count - Self.fewest) {
                for name in names[text[start..<(start + Self.fewest)]] ?? []
                where name.isEveryday == isEveryday && text[start...].starts(with: name.bytes) {
                    found = .mostSensitive(found, name.category)
                }
            }
        }
        return found
    }
}
