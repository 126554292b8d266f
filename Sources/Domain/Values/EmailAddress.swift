/// An e-mail address that can probably receive mail. Two are equal if they differ only in case.
package struct EmailAddress: TypedText {
    /// The address as it was typed.
    package let text: String
    /// The address in lower case, for comparison and reservation.
    package let comparable: String

    /// Checks an address: something, one "@", and a domain of at least two parts.
    ///
    /// Only delivery proves an address. Quoted local parts and address literals are rejected, and so are combining
    /// marks and invisible characters, with which one address has several spellings. Everything else is accepted.
    /// - Throws: ``RuleViolation`` naming the form or the length.
    package init(_ text: String) throws(RuleViolation) {
        guard text.utf8.count <= 254 else { throw RuleViolation(.length, "must have at most 254 characters") }
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...64).contains(parts[0].utf8.count), Self.isLocalPart(parts[0]),
            Self.isDomain(parts[1])
        else { throw RuleViolation(.format, "must be an e-mail address such as name@example.org") }
        self.text = text
        self.comparable = text.lowercased()
    }

    private static func isLocalPart(_ text: Substring) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            scalar.value > 0x20 && !(0x7F..<0xA0).contains(scalar.value) && !scalar.properties.isWhitespace
                && !"\"(),:;<>[\\]".unicodeScalars.contains(scalar) && !isCombining(scalar)
        } && !text.hasPrefix(".") && !text.hasSuffix(".") && !text.contains("..")
    }

    private static func isCombining(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark, .format: true
        default: false
        }
    }

    private static func isDomain(_ text: Substring) -> Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        return labels.count >= 2
            && labels.allSatisfy { label in
                (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
                    && label.unicodeScalars.allSatisfy {
                        $0 == "-" || $0.properties.isAlphabetic && !isCombining($0)
                            || $0.properties.numericType == .decimal
                    }
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
