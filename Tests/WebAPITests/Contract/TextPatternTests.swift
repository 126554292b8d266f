import Domain
import Foundation
import JSON
import Testing

@testable import WebAPI

/// The patterns of the contract allow the characters that the rules of the domain allow, up to U+FFFF: not every
/// language's patterns can name those above.
struct TextPatternTests {
    private let document: OpenAPIDocument

    init() throws {
        document = try OpenAPIDocument()
    }

    private static let characters = (UInt32(0)...0xFFFF).compactMap(Unicode.Scalar.init).map { String($0) }

    /// Characters about which the pattern of a member and a rule differ.
    private func differences(
        _ schema: String, _ member: String, _ texts: [String], _ rule: (String) throws -> Void
    ) throws -> [String] {
        let pattern = try #require(try document.schema(schema)["properties"]?[member]?["pattern"]?.text)
        let expression = try NSRegularExpression(pattern: pattern)
        return texts.filter { text in
            let range = NSRange(text.startIndex..., in: text)
            let fits = expression.firstMatch(in: text, range: range) != nil
            return fits != ((try? rule(text)) != nil)
        }
    }

    private func expectNone(_ differences: [String]) {
        let names = differences.map { $0.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: " ") }
        #expect(names.isEmpty)
    }

    @Test func `notes have lines, but no other control characters`() throws {
        let texts = Self.characters.map { "a\($0)b" }
        for schema in ["NewSighting", "SightingPatch"] {
            expectNone(try differences(schema, "notes", texts) { _ = try Note($0) })
        }
    }

    @Test func `names are one line`() throws {
        let texts = Self.characters.map { "a\($0)b" }
        expectNone(try differences("Registration", "name", texts) { _ = try PersonName($0) })
        expectNone(try differences("NewSighting", "name", texts) { _ = try VerbatimName($0) })
    }

    @Test func `a name of invisible characters alone is rejected`() throws {
        expectNone(try differences("Registration", "name", Self.characters) { _ = try PersonName($0) })
    }
}
