/// Passwords that attackers try first, and their usual variants: with letters replaced, and with digits and signs
/// around.
package struct CommonPasswords: Sendable, ExpressibleByArrayLiteral {
    private let whole: Set<String>
    private let stems: Set<String>

    /// - Parameter passwords: compared without regard to case.
    package init(_ passwords: some Sequence<String>) {
        whole = Set(passwords.map { $0.lowercased() })
        stems = Set(whole.map(Self.stem).filter { $0.count >= Self.shortestStem })
    }

    package init(arrayLiteral passwords: String...) {
        self.init(passwords)
    }

    /// The number of passwords.
    package var count: Int { whole.count }

    /// Whether a password is one of them, or one of them in disguise, such as "P@ssw0rd123".
    func contains(_ secret: String) -> Bool {
        whole.contains(secret.lowercased()) || stems.contains(Self.stem(secret.lowercased()))
    }

    /// Shorter words are too many to reject.
    private static let shortestStem = 6

    /// The word without the digits and signs around it, with letters for the signs within that look like them.
    private static func stem(_ text: String) -> String {
        let isLetter = { (character: Character) in character.isLetter }
        guard let first = text.firstIndex(where: isLetter), let last = text.lastIndex(where: isLetter) else {
            return ""
        }
        return String(text[first...last].map { Lookalikes.letters[$0] ?? $0 })
    }
}
