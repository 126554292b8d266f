/// Scientific names whose words are cut: "Strix occ", "S. occid", "C. l. baileyi".
struct Abbreviations: Sendable {
    private struct Name: Sendable {
        let words: [NameWords.Word]
        let category: SensitivityCategory
    }

    /// By the first letters of their last words, the fewest that are left of them.
    private var names: [NameWords.Word: [Name]] = [:]
    private static let fewest = 3

    mutating func insert(_ words: [NameWords.Word], _ category: SensitivityCategory) {
        guard words.count > 1, let last = words.last, last.count >= Self.fewest else { return }
        names[last.prefix(Self.fewest), default: []].append(Name(words: words, category: category))
    }

    /// The most sensitive category of the names of which successive words of a text are the beginnings; nil for none.
    func category(in words: [NameWords.Word]) -> SensitivityCategory? {
        var found: SensitivityCategory?
        for index in words.indices.dropFirst() where words[index].count >= Self.fewest {
            for name in names[words[index].prefix(Self.fewest)] ?? [] where index + 1 >= name.words.count {
                let run = words[...index].suffix(name.words.count)
                let isAbbreviated = zip(name.words, run).allSatisfy { $0.starts(with: $1) }
                if isAbbreviated { found = .mostSensitive(found, name.category) }
            }
        }
        return found
    }
}
