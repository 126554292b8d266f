/// The words of a typed text, with their possible spellings: signs read as letters, and all words joined.
struct NameWords {
    typealias Word = ArraySlice<UInt8>

    /// Runs of letters, in order.
    let words: [Word]
    /// The words that contain digits or signs, with these read as letters.
    let spelled: [[UInt8]]
    /// All letters joined, to find a name that is written in too many words.
    let joined: [[UInt8]]

    /// - Parameter folded: a comparable form.
    init(_ folded: [UInt8]) {
        let latin = Lookalikes.latin(folded)
        let tokens = latin.split { !Self.isLetter($0) && !Lookalikes.isSign($0) }
        words = latin.split { !Self.isLetter($0) }
        spelled = tokens.flatMap { token in
            Self.ones.compactMap { Lookalikes.spelled(token, one: $0) }
        }
        let letters = Array(words.joined())
        guard !spelled.isEmpty else {
            joined = [letters]
            return
        }
        joined =
            [letters]
            + Self.ones.map { one in
                Array(tokens.map { Lookalikes.spelled($0, one: one) ?? $0.filter(Self.isLetter) }.joined())
            }
    }

    private init(words: [Word], spelled: [[UInt8]]) {
        (self.words, self.spelled, joined) = (words, spelled, [Array(words.joined())])
    }

    /// The text without some of its words.
    /// - Parameter isLeftOut: for each word, whether to omit it.
    func without(_ isLeftOut: [Bool]) -> Self {
        Self(words: zip(words, isLeftOut).filter { !$0.1 }.map(\.0), spelled: spelled)
    }

    static func isLetter(_ byte: UInt8) -> Bool {
        byte >= 0x80 || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }

    /// The possible singulars of a word, the word itself first: of "owls", "lynxes", "wolves", "ponies", "geese".
    static func singulars(of word: Word) -> [Word] {
        if word.elementsEqual("geese".utf8) { return [word, Array("goose".utf8)[...]] }
        guard word.count > 2, word.last == UInt8(ascii: "s") else { return [word] }
        var found = [word, word.dropLast()]
        if word.ends(with: "es") { found.append(word.dropLast(2)) }
        if word.ends(with: "ves") { found.append(word.dropLast(3) + [UInt8(ascii: "f")]) }
        if word.ends(with: "ies") { found.append(word.dropLast(3) + [UInt8(ascii: "y")]) }
        return found
    }

    private static let ones = [UInt8(ascii: "l"), UInt8(ascii: "i")]
}

extension ArraySlice<UInt8> {
    fileprivate func ends(with ending: StaticString) -> Bool {
        ending.withUTF8Buffer { suffix($0.count).elementsEqual($0) }
    }
}
