/// The words of a typed text, with their possible spellings: signs read as letters, and all words joined.
struct NameWords {
    typealias Word = ArraySlice<UInt8>

    /// Runs of letters, in order; a Chinese character is a word.
    let words: [Word]
    /// The skeletons of the words.
    let skeletons: [Word]
    /// The skeletons of words that contain digits or signs, with these read as letters, and of words in single letters.
    let spelled: [Word]
    /// The skeletons of all letters joined, to find a name that is written in too many words.
    let joined: [Word]

    /// - Parameter folded: a comparable form.
    init(_ folded: [UInt8]) {
        let latin = Lookalikes.latin(folded)
        let tokens = latin.split { !Self.isLetter($0) && !Lookalikes.isSign($0) }
        words = latin.split { !Self.isLetter($0) }.flatMap(Self.parts)
        skeletons = words.map(Lookalikes.skeleton)
        let letters = Lookalikes.skeleton(Array(words.joined())[...])
        let signs = tokens.compactMap(Lookalikes.spelled)
        spelled = signs.map(Lookalikes.skeleton) + Self.spelledOut(words)
        guard !signs.isEmpty else {
            joined = [letters]
            return
        }
        let all = tokens.map { Lookalikes.spelled($0) ?? $0.filter(Self.isLetter)[...] }.joined()
        joined = [letters, Lookalikes.skeleton(Array(all)[...])]
    }

    private init(words: [Word], spelled: [Word]) {
        (self.words, self.spelled) = (words, spelled)
        skeletons = words.map(Lookalikes.skeleton)
        joined = [Lookalikes.skeleton(Array(words.joined())[...])]
    }

    /// The text without some of its words.
    /// - Parameter isLeftOut: for each word, whether to omit it.
    func without(_ isLeftOut: [Bool]) -> Self {
        Self(words: zip(words, isLeftOut).filter { !$0.1 }.map(\.0), spelled: spelled)
    }

    static func isLetter(_ byte: UInt8) -> Bool {
        byte >= 0x80 || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }

    /// "w o l f" among other words.
    private static func spelledOut(_ words: [Word]) -> [Word] {
        words.split { $0.count != 1 }.filter { $0.count > 2 && $0.count < words.count }
            .map { Lookalikes.skeleton(Array($0.joined())[...]) }
    }

    /// Chinese has no spaces between words: each of its characters becomes one.
    private static func parts(_ word: Word) -> [Word] {
        guard word.contains(where: isChinese) else { return [word] }
        var parts: [Word] = []
        var rest = word
        while let byte = rest.first {
            let length = isChinese(byte) ? 3 : rest.prefix { !isChinese($0) }.count
            parts.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return parts
    }

    /// Whether a byte begins a character from U+4000 to U+9FFF, each of three bytes.
    private static func isChinese(_ byte: UInt8) -> Bool {
        (0xE4...0xE9).contains(byte)
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
}

extension ArraySlice<UInt8> {
    fileprivate func ends(with ending: StaticString) -> Bool {
        ending.withUTF8Buffer { suffix($0.count).elementsEqual($0) }
    }
}
