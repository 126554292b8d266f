import Bytes
import Crypto
import FoundationEssentials

/// A refresh token: 256 random bits, told to the client once and kept as a digest only.
package struct RefreshToken: Sendable {
    /// What the client gets and sends back: 43 characters of base64url.
    /// - Source: RFC 4648 section 5, without padding.
    package let secret: String

    /// Makes a new token from the system's secure generator.
    package init() {
        var generator = SystemRandomNumberGenerator()
        self.init(using: &generator)
    }

    /// Makes a new token from a generator.
    package init(using generator: inout some RandomNumberGenerator) {
        let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        secret = Base64.url.encode(bytes)
    }

    /// Reads a token that a client presents; nil: it cannot be one of ours.
    package init?(presented text: String) {
        guard Base64.url.decode(text)?.count == 32 else { return nil }
        secret = text
    }

    /// SHA-256 of the text: what is stored.
    package var digest: [UInt8] {
        Array(SHA256.hash(data: Array(secret.utf8)))
    }
}

extension RefreshToken: CustomStringConvertible, CustomReflectable {
    /// Never the secret.
    package var description: String { "redacted" }
    /// Shows nothing.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
