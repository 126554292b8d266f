/// Characters that are read as Latin letters, or that cannot be seen.
///
/// Letters that differ from a Latin one only in style (squared, superscript, small capitals) are found by
/// ``LatinLetters``.
enum Lookalikes {
    /// Digits and signs that people write for letters.
    static let letters: [Character: Character] = [
        "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "6": "g", "7": "t", "8": "b", "9": "g",
        "@": "a", "$": "s", "!": "i", "|": "l", "+": "t", "€": "e",
    ]

    /// Letters of other scripts that look like Latin ones, in lower case.
    /// - Source: Unicode Technical Standard 39, confusables; those that spell English words.
    static let scripts: [Unicode.Scalar: Character] = {
        var table: [Unicode.Scalar: Character] = [:]
        for pairs in scriptPairs {
            let scalars = Array(pairs.unicodeScalars)
            for index in stride(from: 0, to: scalars.count - 1, by: 2) {
                let lower = scalars[index].properties.lowercaseMapping.unicodeScalars.first ?? scalars[index]
                if table[lower] == nil { table[lower] = Character(scalars[index + 1]) }
            }
        }
        return table
    }()

    /// Each letter is followed by the Latin one.
    private static let scriptPairs = [
        // Cyrillic
        "аaвbгrсcԁdеeёeєeғfԍgһhіiїiјjкkӏlмmнnпnоoрpԛqѕsтtцuѵvԝwшwѡwхxуyүyьb",
        // Greek
        "αaβbγyϲcςcεeηnιiκkλlμmνvοoρpσoτtυuχxωwζzϳj",
        // Armenian
        "ոnռnսuօoցgհhզqքfՏsաw",
        // Cherokee
        "ᎪaᏏbᏴbᏟcᏧdᎠdᎬeᏀgᏳgᏂhᎻhᎥiᎫjᏦkᏞlᎷmᏢpᎡrᏒrᏕsᏚsᎢtᏙvᎳwᏔwᎩyᎽyᏃz",
        // Coptic
        "ⲥcⲏhⲓiⲕkⳑlⲙmⲛnⲟoⲣpⲅrⲧtⲭxⲩy",
        // Lisu
        "ꓮaꓐbꓚcꓒdꓓdꓰeꓝfꓖgꓧhꓲiꓙjꓗkꓡlꓟmꓠnꓳoꓑpꓣrꓢsꓔtꓴuꓦvꓪwꓫxꓬyꓜz",
        // Canadian syllabics
        "ᗅaᑲbᗷbᑯdᗞdᗪdᖴfᕼhᒍjᒪlᗰmᑭpᖇrᑌuᐯvᕁx᙭x",
        // Deseret, Tifinagh
        "𐐕c𐐛l𐐄o𐐠sⴹeⵏlⵔoⵕqⴸvⵝx",
        // Latin of phonetics, Roman numerals, signs
        "ɑaɡgɩiªaºoⅰiⅴvⅹxⅼlⅽcⅾdⅿmℎhℹi℮e∨v∪u∣l",
    ]

    /// Whether a character takes part in no word: it is invisible or blank, such as a filler.
    static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x80
            && (scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.generalCategory == .format
                || blanks.contains(scalar))
    }

    /// Blank characters that Unicode counts as visible: the empty Braille pattern, the empty note head, and the
    /// place of an object.
    private static let blanks: Set<Unicode.Scalar> = ["\u{2800}", "\u{1D159}", "\u{FFFC}"]
}
