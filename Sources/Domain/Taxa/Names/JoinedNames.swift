/// Names written as one word, to be found anywhere in a text without its spaces.
struct JoinedNames: Sendable {
    private struct Name: Sendable {
        let bytes: NameWords.Word
        let category: SensitivityCategory
        let isEveryday: Bool
    }

    /// By their first letters. Shorter names may be part of words that mean something else.
    private var names: [ArraySlice<UInt8>: [Name]] = [:]
    private static let fewest = 8

    mutating func insert(_ bytes: NameWords.Word, _ category: SensitivityCategory, isEveryday: Bool) {
        guard bytes.count >= Self.fewest else { return }
        names[bytes.prefix(Self.fewest), default: []]
            .append(Name(bytes: bytes, category: category, isEveryday: isEveryday))
    }

    func category(in texts: [NameWords.Word], isEveryday: Bool) -> SensitivityCategory? {
        var found: SensitivityCategory?
        for text in texts where text.count >= Self.fewest {
            for start in text.indices.dropLast(Self.fewest - 1) {
                for name in names[text[start...].prefix(Self.fewest)] ?? []
                where name.isEveryday == isEveryday && text[start...].starts(with: name.bytes) {
                    found = .mostSensitive(found, name.category)
                }
            }
        }
        return found
    }
}
