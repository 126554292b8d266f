import Bytes
package import JSON

/// A short text of a fixed form that stands for something known: it may be in a payload because it cannot be prose.
package protocol Code: Hashable, Sendable, CustomStringConvertible, PayloadValue {
    /// The code itself: ASCII only.
    var text: String { get }
    init(unchecked text: String)
    /// Whether a text has the form of this sort of code.
    static func hasForm(_ text: String) -> Bool
    /// The form in words: "must be …".
    static var form: String { get }
}

extension Code {
    /// Checks a code's form, not whether it names anything.
    /// - Throws: ``RuleViolation`` naming the form.
    package init(_ text: String) throws(RuleViolation) {
        guard Self.hasForm(text) else { throw RuleViolation(.format, Self.form) }
        self.init(unchecked: text)
    }

    package var description: String { text }

    /// - Throws: ``RuleViolation`` naming the rule that the value breaks.
    package init(payload: JSONValue) throws(RuleViolation) {
        try self.init(try payload.text())
    }

    package func write(to writer: inout PayloadWriter) {
        writer.code(text)
    }
}

/// A code that is nothing but its text.
protocol StoredCode: Code {
    init(text: String)
}

extension StoredCode {
    package init(unchecked text: String) {
        self.init(text: text)
    }
}

/// The characters that codes are made of.
enum CodeCharacters {
    static func isUpper(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }
    static func isLower(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
    static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// Words of lower-case letters and digits with single hyphens between them.
    static func isKebab(_ text: String, most: Int) -> Bool {
        let bytes = text.utf8
        guard (1...most).contains(bytes.count), bytes.first != UInt8(ascii: "-"), bytes.last != UInt8(ascii: "-") else {
            return false
        }
        var before: UInt8 = 0
        for byte in bytes {
            let isHyphen = byte == UInt8(ascii: "-")
            guard isLower(byte) || isDigit(byte) || (isHyphen && before != byte) else { return false }
            before = byte
        }
        return true
    }
}

/// A state, province or territory as its ISO 3166-2 code: "US-WA".
package struct StateCode: StoredCode {
    package let text: String
    package static let form = "must be an ISO 3166-2 code such as US-WA"

    package static func hasForm(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return parts.count == 2 && parts[0].count == 2 && parts[0].allSatisfy(CodeCharacters.isUpper)
            && (1...3).contains(parts[1].count)
            && parts[1].allSatisfy { CodeCharacters.isUpper($0) || CodeCharacters.isDigit($0) }
    }

    /// The country that the state is part of.
    package var country: CountryCode { CountryCode(unchecked: String(text.prefix(2))) }
}

/// A country as its ISO 3166-1 code of two letters: "US".
package struct CountryCode: StoredCode {
    package let text: String
    package static let form = "must be an ISO 3166-1 code such as US"

    package static func hasForm(_ text: String) -> Bool {
        text.utf8.count == 2 && text.utf8.allSatisfy(CodeCharacters.isUpper)
    }
}

/// A region that targets are chosen for: "pacific-northwest".
package struct RegionCode: StoredCode {
    package let text: String
    package static let form = "must be a region's code such as pacific-northwest"

    package static func hasForm(_ text: String) -> Bool {
        CodeCharacters.isKebab(text, most: 40)
    }
}

/// A set of polygons with its version: "ne-50m-v1".
package struct PolygonSetCode: StoredCode {
    package let text: String
    package static let form = "must be the code of a set of polygons such as ne-50m-v1"

    package static func hasForm(_ text: String) -> Bool {
        CodeCharacters.isKebab(text, most: 40)
    }
}

/// A zone by its name in the IANA time zone database: "America/Los_Angeles".
package struct ZoneName: StoredCode {
    package let text: String
    package static let form = "must be an IANA time zone such as America/Los_Angeles"
    /// The zone of places that are in no region.
    package static let utc = ZoneName(unchecked: "UTC")

    package static func hasForm(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                CodeCharacters.isUpper($0) || CodeCharacters.isLower($0) || CodeCharacters.isDigit($0)
                    || "/_+-".utf8.contains($0)
            }
    }
}

/// A language as its BCP 47 tag in the usual case: "en", "fr", "pt-BR".
package struct LanguageTag: StoredCode, Comparable {
    package let text: String
    package static let form = "must be a language tag such as en or pt-BR"
    /// The language of the names that are shown when no other is asked for.
    package static let english = LanguageTag(unchecked: "en")

    package static func hasForm(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard let first = parts.first, (2...3).contains(first.count), first.allSatisfy(CodeCharacters.isLower) else {
            return false
        }
        return text.utf8.count <= 35
            && parts.dropFirst().allSatisfy { part in
                (1...8).contains(part.count)
                    && part.allSatisfy {
                        CodeCharacters.isUpper($0) || CodeCharacters.isLower($0) || CodeCharacters.isDigit($0)
                    }
            }
    }

    package static func < (one: Self, other: Self) -> Bool {
        one.text < other.text
    }
}

/// The SHA-256 of something, or a part of one, in lower-case hexadecimal digits.
package struct Fingerprint: StoredCode {
    package let text: String
    package static let form = "must be 16 to 32 bytes in lower-case hexadecimal digits"

    package static func hasForm(_ text: String) -> Bool {
        (32...64).contains(text.utf8.count) && text.utf8.count.isMultiple(of: 2)
            && text.utf8.allSatisfy {
                CodeCharacters.isDigit($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }
}

extension Fingerprint {
    /// Writes bytes as a fingerprint.
    /// - Throws: ``RuleViolation`` for fewer than 16 or more than 32 bytes.
    package init(bytes: [UInt8]) throws(RuleViolation) {
        guard (16...32).contains(bytes.count) else { throw RuleViolation(.format, Self.form) }
        self.init(unchecked: Hexadecimal.digits(of: bytes))
    }
}

/// A 64-bit perceptual hash of an image, in 16 lower-case hexadecimal digits.
package struct PerceptualHash: StoredCode {
    package let text: String
    package static let form = "must be 8 bytes in lower-case hexadecimal digits"

    package static func hasForm(_ text: String) -> Bool { CodeCharacters.areHexadecimal(text, count: 16) }
}

/// A 256-bit perceptual hash of a part of an image, in 64 lower-case hexadecimal digits. Photos are alike if hashes of
/// them differ in few bits.
package struct LikenessHash: StoredCode {
    package let text: String
    package static let form = "must be 32 bytes in lower-case hexadecimal digits"

    package static func hasForm(_ text: String) -> Bool { CodeCharacters.areHexadecimal(text, count: 64) }
}

extension CodeCharacters {
    fileprivate static func areHexadecimal(_ text: String, count: Int) -> Bool {
        text.utf8.count == count
            && text.utf8.allSatisfy { isDigit($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0) }
    }
}
