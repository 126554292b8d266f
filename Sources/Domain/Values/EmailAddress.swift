/// An e-mail address that can probably receive mail. Two are equal if they differ only in case or in the spelling of
/// the domain.
package struct EmailAddress: TypedText {
    /// The address as it is stored and mailed: as typed, but with the domain in ASCII.
    package let text: String
    /// The address as it was typed, without whitespace around it.
    package let typed: String
    /// The address in lower case, for comparison and reservation.
    package let comparable: String

    /// Checks an address: something, one "@", and a domain of at least two parts.
    ///
    /// Whitespace and invisible characters around an address, which programs add to pasted text, are ignored. The
    /// domain may be written in any form that UTS 46 allows, with or without a final dot.
    ///
    /// Only delivery proves an address. Quoted local parts and address literals are rejected, and so are combining
    /// marks and invisible characters in the local part, with which one address has several spellings. Everything else
    /// is accepted.
    /// - Throws: ``RuleViolation`` naming the form or the length.
    package init(_ text: String) throws(RuleViolation) {
        let typed = Self.withoutBlanks(text)
        guard typed.utf8.count <= 254 else { throw RuleViolation(.length, "must have at most 254 characters") }
        let parts = typed.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw .address("it must have one \"@\"") }
        guard (1...64).contains(parts[0].utf8.count) else {
            throw .address("the part before the \"@\" must have 1 to 64 bytes in UTF-8")
        }
        guard Self.isLocalPart(parts[0]) else {
            throw .address(
                "the part before the \"@\" must not have spaces, combining or invisible characters, quotes, brackets, "
                    + "commas, colons, semicolons, backslashes, or dots that are doubled or at an end")
        }
        let domain = try DomainName(parts[1])
        (self.typed, self.text) = (typed, "\(parts[0])@\(domain.text)")
        guard self.text.utf8.count <= 254 else {
            throw RuleViolation(.length, "must have at most 254 characters, with its domain in ASCII")
        }
        comparable = "\(parts[0].lowercased())@\(domain.ascii)"
    }

    /// A stored address as it is shown and mailed; unchanged if it violates a present rule.
    package static func shown(_ stored: String) -> String {
        (try? EmailAddress(stored))?.text ?? stored
    }

    /// The forms, in lower case, under which the address may be reserved: `comparable`, and those of the time before
    /// domains were compared in ASCII: as typed, and in Unicode. The one as typed comes first, because two accounts may
    /// have the same address in two spellings from that time; each is found by its own.
    package var spellings: [String] {
        var spellings = [typed.lowercased()]
        // Compared by bytes: canonically equivalent strings are equal, but have different digests.
        for other in [comparable, unicode].compactMap(\.self)
        where !spellings.contains(where: { $0.utf8.elementsEqual(other.utf8) }) {
            spellings.append(other)
        }
        return spellings
    }

    /// The address in lower case with the domain in Unicode; nil if the domain is the same in ASCII.
    package var unicode: String? {
        guard let domain = comparable.split(separator: "@").last else { return nil }
        return (try? DomainName(domain).unicode).map { "\(comparable.dropLast(domain.count))\($0)" }
    }

    private static func withoutBlanks(_ text: String) -> String {
        func isBlank(_ scalar: Unicode.Scalar) -> Bool {
            !TextRule.isVisible(scalar) && !(0x202D...0x202E).contains(scalar.value)
        }
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { !isBlank($0) }),
            let last = scalars.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(scalars[first...last])
    }

    private static func isLocalPart(_ text: Substring) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            scalar.value > 0x20 && !(0x7F..<0xA0).contains(scalar.value) && !scalar.properties.isWhitespace
                && !"\"(),:;<>[\\]".unicodeScalars.contains(scalar) && !isCombining(scalar)
                && !Lookalikes.isInvisible(scalar)
        } && !text.hasPrefix(".") && !text.hasSuffix(".") && !text.contains("..")
    }

    private static func isCombining(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark, .format: true
        default: false
        }
    }

    /// Compares without case.
    package static func == (one: Self, other: Self) -> Bool {
        one.comparable == other.comparable
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(comparable)
    }
}
