package import Domain

/// The number of items on a page.
package struct PageLimit: Hashable, Sendable {
    /// The numbers that a client may request.
    package static let bounds = 1...200
    /// The default.
    package static let standard = PageLimit(value: 50)

    /// The number of items.
    package let value: Int

    private init(value: Int) {
        self.value = value
    }

    /// Reads `limit`.
    /// - Throws: `RuleViolation` with the bounds; a larger number is never reduced silently.
    package init(_ text: String) throws(RuleViolation) {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = Int(text), Self.bounds.contains(value)
        else { throw .wholeNumber(Self.bounds) }
        self.value = value
    }
}
