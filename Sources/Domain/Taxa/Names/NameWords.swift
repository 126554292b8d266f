/// The words of a typed text, and what they may be: their spellings without signs for letters, and all of them joined.
struct NameWords {
    typealias Word = ArraySlice<UInt8>

    /// Runs of letters, in order.
    let words: [Word]
    /// Words as they are once digits and signs in them are read as letters.
    let spelled: [[UInt8]]
    /// All letters, for a name written in more words than it has.
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
    /// - Parameter isLeftOut: for each word.
    func without(_ isLeftOut: [Bool]) -> Self {
        Self(words: zip(words, isLeftOut).filter { !$0.1 }.map(\.0), spelled: spelled)
    }

    static func isLetter(_ byte: UInt8) -> Bool {
        byte >= 0x80 || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }

    /// What the word may be the plural of, itself first: "owls", "lynxes", "wolves", "ponies", "geese".
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
