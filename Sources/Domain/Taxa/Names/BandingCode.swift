/// The four-letter code that bird banders make of an English name.
///
/// - Source: P. Pyle and D. F. DeSante, "Four-letter and six-letter alpha codes for birds recorded from the American
///   Ornithologists' Union check-list area", North American Bird Bander 28 (2003).
enum BandingCode {
    /// Two letters of each of two words, "Spotted Owl", SPOW; one, one and two of three, "Long-eared Owl", LEOW; two,
    /// one and one where the last two are hyphenated, "Greater Sage-Grouse", GRSG; the first of four words; the first
    /// four of a single one. In lower case; nil for longer names.
    static func derived(from name: String) -> [UInt8]? {
        let parts = name.split(separator: " ").map { $0.split(separator: "-").map { NameFolding.fold(String($0)) } }
        let words = parts.joined().filter { !$0.isEmpty }
        let isHyphenatedAtEnd = parts.count == 2 && parts[1].count == 2
        let lengths: [Int]
        switch words.count {
        case 1: lengths = [4]
        case 2: lengths = [2, 2]
        case 3: lengths = isHyphenatedAtEnd ? [2, 1, 1] : [1, 1, 2]
        case 4: lengths = [1, 1, 1, 1]
        default: return nil
        }
        let code = zip(words, lengths).flatMap { $0.prefix($1) }
        return code.count == 4 ? code : nil
    }
}
