import TestRandom
import Testing

@testable import Domain

struct TypedTextTests {
    @Test(arguments: [
        ("first\u{2028}second", "first\nsecond"), ("first\u{2029}second", "first\nsecond"),
        ("first\u{85}second", "first\nsecond"), ("first\u{B}second", "first\nsecond"),
        ("first\u{C}second", "first\nsecond"), ("first\rsecond", "first\nsecond"),
        ("first\r\nsecond", "first\nsecond"), ("first\r\r\n\nsecond", "first\n\n\nsecond"),
        ("first\n\rsecond", "first\n\nsecond"), ("first\r\u{200E}\nsecond", "first\n\nsecond"),
        ("\u{2028}", "\n"), ("tab\tkept\r\n", "tab\tkept\n"),
    ])
    func `line breaks of every kind are line feeds`(typed: String, kept: String) throws {
        #expect(try Note(typed).text.unicodeScalars.elementsEqual(kept.unicodeScalars))
        #expect(try Note(typed).typed.unicodeScalars.elementsEqual(typed.unicodeScalars))
        #expect(try Remarks("a" + typed).text.unicodeScalars.elementsEqual(("a" + kept).unicodeScalars))
    }

    /// LRE and PDF are a pair, LRI and PDI, too; RLE and PDI are none.
    @Test(arguments: [
        ("seen \u{200E}5\u{200E}/\u{200E}1\u{200E}/\u{200E}2026", "seen 5/1/2026"), ("\u{61C}a\u{200F}", "a"),
        ("\u{202A}C:\\birds", "C:\\birds"), ("a\u{202C}b", "ab"), ("a\u{2068}b", "ab"), ("a\u{2069}b\u{2069}", "ab"),
        ("\u{2068}a\u{2069}b", "\u{2068}a\u{2069}b"), ("\u{202B}a\u{202C}b", "\u{202B}a\u{202C}b"),
        ("\u{202B}a\u{2069}b", "ab"), ("\u{2066}a\u{202C}b", "ab"),
        ("\u{2066}a\u{202A}b\u{2069}c\u{202C}", "\u{2066}ab\u{2069}c"),
        ("\u{202A}a\u{2067}b\u{2069}c", "a\u{2067}b\u{2069}c"), ("\u{2066}\u{2067}a\u{2069}", "\u{2067}a\u{2069}"),
    ])
    func `directional characters that pair with nothing are dropped`(typed: String, kept: String) throws {
        func expect(_ text: String, _ type: String) {
            #expect(text.unicodeScalars.elementsEqual(kept.unicodeScalars), "\(type): \(text.unicodeScalars)")
        }
        expect(try Note(typed).text, "note")
        expect(try Remarks(typed).text, "remarks")
        expect(try AltText(typed).text, "alternative text")
        expect(try VerbatimName(typed).text, "name")
        expect(try PersonName(typed).text, "person")
        expect(try DatasetTitle(typed).text, "title")
        expect(try CreditLine(typed).text, "credit")
        expect(try FileName(typed).text, "file")
        expect(try KeyName(typed).text, "key")
        expect(try PublishedText(typed).text, "published")
        expect(try DisplayName("Zoe \(typed)").text.dropFirst(4).description, "display name")
    }

    @Test(arguments: ["\n", "\r", "\r\n", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}"])
    func `a pair ends with its line, and a text of one line has none`(lineBreak: String) throws {
        let note = try Note("\u{2066}a\(lineBreak)b\u{2069}").text
        #expect(note.unicodeScalars.elementsEqual("a\nb".unicodeScalars))
        let violation = try #require(throws: RuleViolation.self) { try VerbatimName("a\(lineBreak)b") }
        #expect(violation.message.hasPrefix("must not contain line breaks: U+"), "\(violation.message)")
    }

    @Test(arguments: [
        ("\u{202E}", "override the direction of text: U+202E"), ("\u{202D}", "override the direction of text: U+202D"),
        ("\u{7}", "control characters: U+0007"), ("\u{E0041}", "invisibly: U+E0041"), ("\u{206A}", "invisibly: U+206A"),
    ])
    func `an error names the character`(character: String, rule: String) throws {
        for text in ["gull\(character)llug", "gull\(character)llug\u{202C}"] {
            for make: (String) throws -> Void in [{ _ = try Note($0) }, { _ = try VerbatimName($0) }] {
                let violation = try #require(throws: RuleViolation.self) { try make(text) }
                #expect(violation.message.hasSuffix(rule), "\(violation.message)")
            }
        }
    }

    @Test func `lengths are those of what is kept`() throws {
        #expect(throws: Never.self) { try VerbatimName(String(repeating: "a\u{200E}", count: 200)) }
        #expect(throws: RuleViolation.self) { try VerbatimName("\u{200E}\u{2066}") }
        #expect(throws: RuleViolation(.format, "must not be blank")) { try VerbatimName("\u{2066}\u{2069}") }
        #expect(throws: RuleViolation.self) { try DisplayName("\u{200E}a") }
        #expect(try Note("\u{200E}").text.isEmpty)
        #expect(try Note(String(repeating: "a\r\n", count: 2000)).text.unicodeScalars.count == 4000)
    }

    @Test func `texts are equal if what is kept is`() throws {
        #expect(try Note("a\r\nb") == Note("a\nb") && Note("a\u{200E}").hashValue == Note("a").hashValue)
        #expect(try Note("a\r\nb") != Note("a b"))
        #expect(throws: RuleViolation.self) { try DisplayName("ad\u{200E}min") }
    }

    /// What is kept is kept again, whatever was typed; thousands of openers take no time.
    @Test func `keeping a kept text changes nothing`() throws {
        let characters: [Unicode.Scalar] = [
            "a", "\n", "\r", "\u{2028}", "\u{200E}", "\u{202A}", "\u{202B}", "\u{202C}", "\u{2066}", "\u{2068}",
            "\u{2069}",
        ]
        var random = RandomSource(seed: 25)
        for _ in 0..<2000 {
            var typed = String.UnicodeScalarView()
            for _ in 0..<random.int(in: 0...12) { typed.append(characters[random.int(in: 0...10)]) }
            let kept = try Note(String(typed)).text
            #expect(try Note(kept).text.unicodeScalars.elementsEqual(kept.unicodeScalars))
        }
        let openers =
            String(repeating: "\u{202A}\u{2066}", count: 10_000) + String(repeating: "\u{2069}", count: 20_000)
        let duration = ContinuousClock().measure { _ = try? Note(openers) }
        #expect(duration < .seconds(2))
    }
}
