package import JSON

/// A closed set of words that requests, files and payloads may use, each written as its raw value.
package protocol Vocabulary: RawRepresentable<String>, CaseIterable, Hashable, Codable, Sendable, PayloadValue {}

extension Vocabulary {
    /// Reads a word.
    /// - Throws: ``RuleViolation`` with all words when it is none of them.
    package init(word: String) throws(RuleViolation) {
        guard let value = Self(rawValue: word) else {
            throw .vocabulary(Self.allCases.map(\.rawValue))
        }
        self = value
    }

    /// Reads the word from a payload.
    package init(payload: JSONValue) throws(RuleViolation) {
        try self.init(word: try payload.text())
    }

    package func write(to writer: inout PayloadWriter) {
        writer.code(rawValue)
    }
}
