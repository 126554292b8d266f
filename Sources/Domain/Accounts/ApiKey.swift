package import FoundationEssentials

/// A right of an API key.
package enum KeyScope: String, Vocabulary {
    /// Reads what is the account's own.
    case read
    /// Submits and changes sightings and photos, and what belongs to them.
    case submit
    /// Reads what researchers may read.
    case research
}

/// The name by which an owner recognises an API key: 1 to 100 characters.
package struct KeyName: CheckedText {
    static let rule = TextRule(characters: 1...100)
    let kept: KeptText
}

/// An API key as its owner sees it.
package struct ApiKey: Hashable, Sendable {
    package let id: UUID
    package let account: AccountID
    package let name: String
    package let scopes: Set<KeyScope>
    package let createdAt: Instant
    /// From then on it is rejected; nil: it does not expire.
    package let expiresAt: Instant?
    /// When it was used last, to the minute; nil: never.
    package let usedAt: Instant?

    package init(
        id: UUID, account: AccountID, name: String, scopes: Set<KeyScope>, createdAt: Instant, expiresAt: Instant?,
        usedAt: Instant? = nil
    ) {
        (self.id, self.account, self.name, self.scopes) = (id, account, name, scopes)
        (self.createdAt, self.expiresAt, self.usedAt) = (createdAt, expiresAt, usedAt)
    }
}
