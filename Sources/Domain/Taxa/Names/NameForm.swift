/// The form of a name that is more than a plain one, before its parts are looked up.
enum NameForm: Equatable {
    /// The words of one name.
    typealias Words = [Substring]

    /// One name.
    case plain(Words)
    /// An unspecified member of the named taxon.
    case indeterminate(Words)
    /// One of several, or a cross of several.
    case members(TaxonQualifier, [Words])
    /// To be compared with a name, or doubted; the words before the mark are certain, or the doubted ones if nothing
    /// follows it.
    case uncertain(TaxonQualifier, certain: Words, compared: Words)

    /// Finds the form of a name in its comparable form.
    init(folded: [UInt8]) {
        let words = Self.withoutParentheses(Self.words(String(decoding: folded, as: UTF8.self)))
        if let form = Self.members(words) ?? Self.uncertain(words) {
            self = form
        } else if let mark = words.firstIndex(where: Self.indeterminateMarks.contains), mark > 0 {
            self = .indeterminate(Array(words[..<mark]))
        } else {
            self = .plain(words.filter { !Self.rankMarks.contains($0) })
        }
    }

    private static let indeterminateMarks: Set<Substring> = ["sp", "spp", "species", "indet"]
    private static let rankMarks: Set<Substring> = ["ssp", "subsp", "subspecies", "var", "f", "forma"]
    private static let uncertainMarks: [Substring: TaxonQualifier] = {
        let doubted: [Substring] = [
            "cf", "?", "nr", "probable", "probably", "prob", "possible", "possibly", "poss", "likely", "maybe",
            "perhaps", "presumed", "presumably", "suspected", "apparently",
        ]
        return Dictionary(uniqueKeysWithValues: doubted.map { ($0, .cf) } + [("aff", .aff)])
    }()
    private static let separators: [Substring: TaxonQualifier] = ["x": .hybrid, "/": .slash, "or": .slash]
    /// Words that make a name another one than it began with.
    static let doubts: Set<Substring> = [
        "and", "or", "x", "/", "vs", "not", "near", "possibly", "probably", "maybe", "hybrid",
    ]

    /// The first mark of doubt or comparison among the words of a comparable form.
    static func mark(in folded: [UInt8]) -> TaxonQualifier? {
        words(String(decoding: folded, as: UTF8.self)).lazy.compactMap { uncertainMarks[$0] }.first
    }

    /// Splits at spaces and commas; every mark is a word of its own.
    private static func words(_ text: String) -> Words {
        var words: Words = []
        var start = text.startIndex
        for index in text.indices {
            let isMark = "/()[]?".contains(text[index])
            guard isMark || text[index] == " " || text[index] == "," else { continue }
            if start < index { words.append(text[start..<index]) }
            start = text.index(after: index)
            if isMark { words.append(text[index..<start]) }
        }
        if start < text.endIndex { words.append(text[start...]) }
        return words
    }

    /// Without what is in parentheses, but for marks of doubt: "Osprey (?)".
    private static func withoutParentheses(_ words: Words) -> Words {
        var depth = 0
        return words.filter { word in
            switch word {
            case "(", "[":
                depth += 1
                return false
            case ")", "]":
                depth = max(0, depth - 1)
                return false
            default:
                return depth == 0 || uncertainMarks[word] != nil
            }
        }
    }

    private static func members(_ words: Words) -> NameForm? {
        guard words.contains(where: { separators[$0] != nil }) else { return nil }
        let parts = words.split { separators[$0] != nil }.map { part in
            part.filter {
                !indeterminateMarks.contains($0) && !rankMarks.contains($0) && uncertainMarks[$0] == nil
            }
        }
        guard parts.count > 1, !parts.contains(where: \.isEmpty) else { return nil }
        let isHybrid = words.contains { separators[$0] == .hybrid }
        return .members(isHybrid ? .hybrid : .slash, parts)
    }

    private static func uncertain(_ words: Words) -> NameForm? {
        guard let mark = words.firstIndex(where: { uncertainMarks[$0] != nil }),
            let qualifier = uncertainMarks[words[mark]]
        else { return nil }
        let isAtEnd = mark == words.indices.last
        let certain = isAtEnd ? [] : Array(words[..<mark])
        let rest = isAtEnd ? words[..<mark] : words[(mark + 1)...]
        let compared = rest.filter { uncertainMarks[$0] == nil && !indeterminateMarks.contains($0) }
        return certain.isEmpty && compared.isEmpty ? nil : .uncertain(qualifier, certain: certain, compared: compared)
    }
}
