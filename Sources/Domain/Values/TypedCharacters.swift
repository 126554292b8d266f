/// The part of a typed text that is kept, collected character by character. Pasted text has invisible characters: all
/// line breaks become line feeds, and unpaired directional characters are dropped.
struct TypedCharacters {
    private let allowsLines: Bool
    private var kept = String.UnicodeScalarView()
    /// The length of ``kept``, which would take linear time to count.
    private var count = 0
    /// Whether ``kept`` differs from what was typed.
    private var isChanged = false
    private var endsInReturn = false
    private var pairs = DirectionalPairs()

    init(allowsLines: Bool) {
        self.allowsLines = allowsLines
    }

    /// - Throws: ``RuleViolation`` naming the character, if it is not allowed.
    mutating func append(_ scalar: Unicode.Scalar) throws(RuleViolation) {
        let followsReturn = endsInReturn
        endsInReturn = scalar == "\r"
        switch scalar.value {
        case 0x0A where followsReturn: isChanged = true
        case 0x0A...0x0D, 0x85, 0x2028, 0x2029:
            guard allowsLines else { throw Self.violation("must not contain line breaks", scalar) }
            isChanged = isChanged || scalar != "\n"
            pairs.endLine()
            keep("\n")
        case 0x09 where allowsLines: keep(scalar)
        case 0..<0x20, 0x7F..<0xA0: throw Self.violation("must not contain control characters", scalar)
        case 0x202D, 0x202E:
            throw Self.violation("must not contain characters that override the direction of text", scalar)
        // Format characters that have no use in a text, and tag characters, which can hide one.
        case 0x206A...0x206F, 0xFFF9...0xFFFB, 0xE0000...0xE007F:
            throw Self.violation("must not contain characters that control text invisibly", scalar)
        case 0x61C, 0x200E, 0x200F: isChanged = true
        case 0x202A...0x202C, 0x2066...0x2069:
            pairs.append(scalar, at: count)
            keep(scalar)
        default: keep(scalar)
        }
    }

    private mutating func keep(_ scalar: Unicode.Scalar) {
        kept.append(scalar)
        count += 1
    }

    /// The whole text.
    mutating func finished(of typed: String) -> String {
        pairs.endLine()
        guard isChanged || !pairs.unpaired.isEmpty else { return typed }
        guard !pairs.unpaired.isEmpty else { return String(kept) }
        var text = String.UnicodeScalarView()
        for (index, scalar) in kept.enumerated() where !pairs.unpaired.contains(index) { text.append(scalar) }
        return String(text)
    }

    private static func violation(_ rule: String, _ scalar: Unicode.Scalar) -> RuleViolation {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return RuleViolation(.format, "\(rule): U+\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)")
    }
}

/// The pairs of directional embeddings and isolates in a text. A pair changes the direction of the text that it
/// encloses; an unpaired character, that of the rest of the line.
/// - Source: Unicode Standard Annex 9, BD9 and rules X5c to X8: the end of a line closes all of them, and the end of an
///   isolate the embeddings in it.
struct DirectionalPairs {
    /// The closing characters that follow no opening one, and the opening ones that were not closed in their line.
    private(set) var unpaired: Set<Int> = []
    private var open: [(index: Int, isIsolate: Bool)] = []
    private var openIsolates = 0

    /// - Parameter index: the index of the character in the text.
    mutating func append(_ scalar: Unicode.Scalar, at index: Int) {
        switch scalar.value {
        case 0x202A, 0x202B: open.append((index, false))
        case 0x2066...0x2068:
            open.append((index, true))
            openIsolates += 1
        case 0x202C where open.last?.isIsolate == false: open.removeLast()
        case 0x2069 where openIsolates > 0:
            openIsolates -= 1
            while let last = open.popLast(), !last.isIsolate { unpaired.insert(last.index) }
        default: unpaired.insert(index)
        }
    }

    mutating func endLine() {
        unpaired.formUnion(open.map(\.index))
        (open, openIsolates) = ([], 0)
    }
}
