package import Domain

/// How many items a page may have.
package struct PageLimit: Hashable, Sendable {
    /// The numbers a client may ask for.
    package static let bounds = 1...200
    /// What a page has when nobody asks.
    package static let standard = PageLimit(value: 50)

    /// The number of items.
    package let value: Int

    private init(value: Int) {
        self.value = value
    }

    /// Reads `limit`.
    /// - Throws: `RuleViolation` naming the bounds; it is never cut silently.
    package init(_ text: String) throws(RuleViolation) {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = Int(text), Self.bounds.contains(value)
        else { throw .wholeNumber(Self.bounds) }
        self.value = value
    }
}
