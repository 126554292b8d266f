/// A password that satisfies the rules; its descriptions never contain it.
package struct Password: Sendable {
    /// The password as it was typed. Only for making or checking its record.
    package let secret: String

    /// How long a password may be, counted in Unicode scalars.
    package static let length = 10...256

    /// The least number of visible characters.
    private static let fewestVisible = 6

    /// Checks a password: 10 to 256 characters, not similar to a common password or to the account's e-mail address.
    /// - Throws: ``RuleViolation`` naming the rule; the message never repeats the password.
    package init(_ secret: String, common: CommonPasswords, email: EmailAddress? = nil) throws(RuleViolation) {
        guard secret.utf8.count <= Self.length.upperBound * 4, Self.length.contains(secret.unicodeScalars.count) else {
            throw RuleViolation(.length, "must have 10 to 256 characters")
        }
        guard secret.unicodeScalars.count(where: TextRule.isVisible) >= Self.fewestVisible else {
            throw RuleViolation(.format, "must have at least \(Self.fewestVisible) visible characters")
        }
        guard !common.contains(secret) else {
            throw RuleViolation(.vocabulary, "must not be one of the commonest passwords, or like one")
        }
        guard email.map({ !Self.resembles(secret, $0) }) ?? true else {
            throw RuleViolation(.vocabulary, "must not be like the e-mail address")
        }
        self.secret = secret
    }

    /// Whether little is left of a password without the address, or without the part before the "@".
    private static func resembles(_ secret: String, _ email: EmailAddress) -> Bool {
        let secret = secret.lowercased()
        let local = email.comparable.prefix { $0 != "@" }
        return [Substring(email.comparable), email.unicode.map { $0[...] } ?? "", local].contains { part in
            guard part.count >= 4, let range = secret.firstRange(of: part) else { return false }
            return secret.count - secret[range].count < fewestVisible
        }
    }
}

extension Password: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "redacted" }
    package var debugDescription: String { "redacted" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
