/// A password that satisfies the rules; its descriptions never contain it.
package struct Password: Sendable {
    /// The password as it was typed. Only for making or checking its record.
    package let secret: String

    /// How long a password may be, counted in Unicode scalars.
    package static let length = 10...256

    /// Checks a password: 10 to 256 characters, and none of the commonest, whatever their case.
    /// - Parameter common: the passwords too common to use, in lower case.
    /// - Throws: ``RuleViolation`` naming the rule; the message never repeats the password.
    package init(_ secret: String, common: Set<String>) throws(RuleViolation) {
        guard secret.utf8.count <= Self.length.upperBound * 4, Self.length.contains(secret.unicodeScalars.count) else {
            throw RuleViolation(.length, "must have 10 to 256 characters")
        }
        guard !common.contains(secret.lowercased()) else {
            throw RuleViolation(.vocabulary, "must not be one of the commonest passwords")
        }
        self.secret = secret
    }
}

extension Password: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "redacted" }
    package var debugDescription: String { "redacted" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
