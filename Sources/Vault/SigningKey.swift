package import FoundationEssentials

/// A secret that access tokens are signed and checked with (HMAC-SHA-256).
package struct SigningKey: Sendable {
    /// What tokens name it by.
    package let kid: UUID
    /// 32 random bytes.
    package let secret: [UInt8]
    /// Since when it signs.
    package let createdAt: Date
    /// From then on it signs and checks nothing.
    package let retiresAt: Date

    /// Describes a key.
    package init(kid: UUID, secret: [UInt8], createdAt: Date, retiresAt: Date) {
        self.kid = kid
        self.secret = secret
        self.createdAt = createdAt
        self.retiresAt = retiresAt
    }

    /// Makes a new key from the system's secure generator.
    static func random(createdAt: Date, retiresAt: Date) -> SigningKey {
        let secret = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
        return SigningKey(kid: UUID(), secret: secret, createdAt: createdAt, retiresAt: retiresAt)
    }
}

extension SigningKey: CustomStringConvertible, CustomReflectable {
    /// Names the key; never the secret.
    package var description: String { "SigningKey(\(kid), redacted)" }
    /// Shows nothing.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
