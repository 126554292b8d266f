package import Domain
internal import FoundationEssentials

/// The rule for new passwords: 10 to 256 characters, and none of the commonest.
package struct PasswordPolicy: Sendable {
    /// Why the list of common passwords cannot be used.
    package enum Failure: Error, Hashable, Sendable {
        /// The file is missing, unreadable or not UTF-8.
        case unreadable(path: String)
        /// The file holds fewer passwords than required.
        case tooFew(path: String, found: Int)
    }

    /// Fewest common passwords that the list must hold.
    package static let fewest = 1000

    private let common: Set<String>

    /// - Parameter common: the passwords to reject, compared without regard to case.
    package init(common: some Sequence<String>) {
        self.common = Set(common.map { $0.lowercased() })
    }

    /// Reads the common passwords from a file, one on each line.
    ///
    /// - Throws: ``Failure``.
    package init(contentsOf path: String) throws(Failure) {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { throw .unreadable(path: path) }
        self.init(common: text.split(whereSeparator: \.isNewline).map(String.init))
        guard common.count >= Self.fewest else { throw .tooFew(path: path, found: common.count) }
    }

    /// Checks a new password.
    ///
    /// - Throws: the rule that it breaks.
    package func password(_ secret: String) throws(RuleViolation) -> Password {
        try Password(secret, common: common)
    }
}
