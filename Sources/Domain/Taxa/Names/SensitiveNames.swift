/// Recognises the names of sensitive taxa in a text that is not itself a taxon's name: misspelled, in the plural, with
/// its words abbreviated, in letters or with digits that look alike, in one word or in several, or among other words.
///
/// All words are compared by their skeletons, see ``Lookalikes``.
///
/// It errs on the side of caution: a false match only makes a place less exact. The time grows with the text's length:
/// some tens of microseconds for 200 letters.
struct SensitiveNames: Sendable {
    /// How a name counts.
    enum Kind: Sendable {
        /// An accepted name, a synonym or a common name. Misspellings count too.
        case scientific, common
        /// An everyday name, or the last word of an English name. A single word does not count where it is part of the
        /// name of a taxon that is not sensitive.
        case everyday
        /// A code of letters. It counts like an everyday name, but misspelled it is another code.
        case code
    }

    private struct Name: Sendable {
        let words: [SpellingIndex.Index]
        /// The length of its first word.
        let length: Int
        /// The abbreviations of its first word, if it may be cut.
        let genus: [UInt8]?
        let category: SensitivityCategory
        let kind: Kind

        /// Whether it is a single everyday word.
        var isEveryday: Bool { words.count == 1 && kind == .everyday }
    }

    private var vocabulary = SpellingIndex()
    /// By the indexes of their last words in the vocabulary.
    private var namesByLastWord: [[Name]] = []
    private var joined = JoinedNames()
    /// Whole names, for texts that are misspellings of a whole name.
    private var wholes = SpellingIndex()
    private var wholeCategories: [SensitivityCategory?] = []
    private var abbreviations = Abbreviations()
    private var codes: [NameWords.Word: SensitivityCategory] = [:]
    /// The everyday names of one word, and the last words of English names.
    private var everyday: [[UInt8]: SensitivityCategory] = [:]
    /// The words of the names of other taxa.
    private let ordinaryWords: Set<NameWords.Word>

    /// - Parameter ordinaryWords: the words of the names of taxa that are not sensitive, which are no misspellings.
    init(ordinaryWords: Set<NameWords.Word>) {
        self.ordinaryWords = Set(ordinaryWords.map(Lookalikes.skeleton))
    }

    /// Adds a name in its comparable form.
    mutating func insert(_ folded: [UInt8], _ category: SensitivityCategory, _ kind: Kind) {
        let words = NameWords(folded)
        guard let first = words.skeletons.first else { return }
        if kind == .code {
            codes[first] = .mostSensitive(codes[first], category)
            return
        }
        let whole = words.joined[0]
        if Set(words.skeletons).count == 1 {
            // "Gulo gulo" is one word; as two, either would be found misspelled in "gull".
            add([first], category, kind)
        } else {
            add(words.skeletons, category, kind)
            add([whole], category, .common)
        }
        if kind == .scientific { abbreviations.insert(words.skeletons, category) }
        joined.insert(whole, category, isEveryday: kind == .everyday && words.words.count == 1)
        guard kind != .everyday else {
            everyday[folded] = .mostSensitive(everyday[folded], category)
            return
        }
        let index = wholes.insert(folded)
        if index == wholeCategories.count { wholeCategories.append(nil) }
        wholeCategories[index] = .mostSensitive(wholeCategories[index], category)
    }

    private mutating func add(_ words: [NameWords.Word], _ category: SensitivityCategory, _ kind: Kind) {
        let indexes = words.map { vocabulary.insert(Array($0)) }
        while namesByLastWord.count < vocabulary.count { namesByLastWord.append([]) }
        namesByLastWord[indexes[indexes.count - 1]].append(
            Name(
                words: indexes, length: words[0].count, genus: kind == .scientific ? Array(words[0]) : nil,
                category: category, kind: kind))
    }

    /// The category of an everyday name in its comparable form; nil for any other text.
    func category(ofEveryday folded: [UInt8]) -> SensitivityCategory? {
        everyday[folded]
    }

    /// The most sensitive category of the taxa that a comparable text may mean; nil for none.
    /// - Parameter others: the words of a text that are part of the name of a taxon that is not sensitive.
    func category(of folded: [UInt8], others: ([NameWords.Word]) -> [Bool]) -> SensitivityCategory? {
        let text = NameWords(folded)
        var category = category(like: folded)
        let near = nearest(to: text)
        category = .mostSensitive(category, abbreviations.category(in: text.skeletons))
        category = .mostSensitive(category, self.category(of: text, near, isEveryday: false))
        guard let everyday = self.category(of: text, near, isEveryday: true) else { return category }
        let isOther = others(text.words)
        guard isOther.contains(true) else { return .mostSensitive(category, everyday) }
        let rest = text.without(isOther)
        return .mostSensitive(category, self.category(of: rest, nearest(to: rest), isEveryday: true))
    }

    private func category(of text: NameWords, _ near: Nearness, isEveryday: Bool) -> SensitivityCategory? {
        var found = joined.category(in: text.joined, isEveryday: isEveryday)
        if isEveryday { found = .mostSensitive(found, near.code) }
        for word in near.words {
            for name in namesByLastWord[word]
            where name.isEveryday == isEveryday && isHeld(name, by: text, near) {
                found = .mostSensitive(found, name.category)
            }
        }
        return found
    }

    /// The most sensitive category of the names that the matcher would suggest for a text; nil for none.
    private func category(like folded: [UInt8]) -> SensitivityCategory? {
        let bound = TaxonNames.editsTolerated(in: folded)
        return wholes.alike(folded[...], most: bound) { _ in bound }
            .reduce(nil) { .mostSensitive($0, wholeCategories[$1.index]) }
    }

    private func isHeld(_ name: Name, by text: NameWords, _ near: Nearness) -> Bool {
        let first = name.words[0]
        if name.words.count == 1 {
            return near.edits[first] <= Self.editsAlone(name.length, isEveryday: name.isEveryday)
                || near.isSlip[first]
        }
        guard name.words.dropFirst().allSatisfy({ near.edits[$0] != Self.far }) else { return false }
        if near.edits[first] != Self.far { return true }
        guard let genus = name.genus else { return false }
        return text.skeletons.contains { $0.count <= 3 && genus.starts(with: $0) }
    }
}

// MARK: - Words

extension SensitiveNames {
    private static let far = UInt8.max

    /// How near the words of a text come to each word of the vocabulary.
    private struct Nearness {
        /// The number of edits to the nearest word.
        var edits: [UInt8]
        /// Whether a word that is no word of another taxon's name is one edit away.
        var isSlip: [Bool]
        /// The words of the vocabulary that any word comes near.
        var words: [SpellingIndex.Index] = []
        /// The most sensitive category of the words that are codes.
        var code: SensitivityCategory?

        mutating func take(_ word: SpellingIndex.Index, _ count: UInt8) {
            if edits[word] == far { words.append(word) }
            edits[word] = min(edits[word], count)
        }
    }

    private func nearest(to text: NameWords) -> Nearness {
        var near = Nearness(
            edits: [UInt8](repeating: Self.far, count: vocabulary.count),
            isSlip: [Bool](repeating: false, count: vocabulary.count))
        var seen = Set<NameWords.Word>()
        for word in text.skeletons + text.spelled + text.joined where seen.insert(word).inserted {
            for (ordinal, singular) in NameWords.singulars(of: word).enumerated() {
                if let same = vocabulary.index(of: singular) { near.take(same, 0) }
                if let code = codes[singular] { near.code = .mostSensitive(near.code, code) }
                // An "s" too many is an edit; its misspelled singular may be another one.
                guard ordinal < 2 else { continue }
                let alike = vocabulary.alike(singular, most: 2) { Self.editsAmongOthers($0, in: singular.count) }
                for (index, edits) in alike {
                    near.take(index, UInt8(edits))
                    if edits == 1, !near.isSlip[index], Self.isSlip(singular, of: vocabulary.bytes(of: index)) {
                        near.isSlip[index] = !isOrdinary(word)
                    }
                }
            }
        }
        return near
    }

    /// Whether a word, or its singular, is part of another taxon's name, or is "tail" where that has "tailed".
    private func isOrdinary(_ word: NameWords.Word) -> Bool {
        NameWords.singulars(of: word).contains { singular in
            ordinaryWords.contains(singular) || ordinaryWords.contains(singular + "ed".utf8)
        }
    }

    /// Whether a word may be a misspelling of a name of four or five letters, from which it differs in one. A word of
    /// three letters must at least begin like it.
    private static func isSlip(_ word: NameWords.Word, of name: [UInt8]) -> Bool {
        (4...5).contains(name.count) && name.allSatisfy { $0 < 0x80 } && (word.count > 3 || word.first == name.first)
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

    /// Edits tolerated in a name of one word: fewer than in a name of several, because they soon make another word. In
    /// names of four and five letters, only slips count, see ``isSlip(_:of:)``.
    private static func editsAlone(_ length: Int, isEveryday: Bool) -> UInt8 {
        switch length {
        case 8...: 2
        case 6...: 1
        case 5: isEveryday ? 0 : 1
        default: 0
        }
    }
}
