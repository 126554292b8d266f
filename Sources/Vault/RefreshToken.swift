internal import Crypto
internal import FoundationEssentials

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
        secret = Self.base64URL(bytes)
    }

    /// Reads a token that a client presents; nil: it cannot be one of ours.
    package init?(presented text: String) {
        let isOurs =
            text.utf8.count == 43
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
        guard isOurs else { return nil }
        secret = text
    }

    /// SHA-256 of the text: what is stored.
    package var digest: [UInt8] {
        Array(SHA256.hash(data: Array(secret.utf8)))
    }

    private static func base64URL(_ bytes: [UInt8]) -> String {
        String(
            Data(bytes).base64EncodedString().compactMap { character in
                switch character {
                case "+": "-"
                case "/": "_"
                case "=": nil
                default: character
                }
            })
    }
}

extension RefreshToken: CustomStringConvertible, CustomReflectable {
    /// Never the secret.
    package var description: String { "redacted" }
    /// Shows nothing.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
