import TestRandom
import Testing

@testable import Domain

struct PayloadReadingTests {
    @Test func `the last member of a name counts`() throws {
        let reader = try PayloadReader(type: "Any", payload: Array(#"{"n":1,"n":2}"#.utf8))
        #expect(try reader.integer("n") == 2)
    }

    @Test(arguments: ["[]", "1", "", "{", #"{"a":1e400}"#])
    func `rejects what is no object`(text: String) {
        #expect(throws: PayloadFault.self) { try PayloadReader(type: "Any", payload: Array(text.utf8)) }
    }

    @Test func `no bytes trap`() {
        var random = RandomSource(seed: 11)
        let alphabet = Array(#"{}[]":,\u0123dD8e+-.tfn "#.utf8)
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...24, using: &random)).map { _ in random.element(of: alphabet) }
            _ = try? SightingEvent(type: SightingCorrected.type, payload: bytes)
        }
    }

    @Test func `prose has no NUL and one form of escapes`() {
        var writer = PayloadWriter()
        writer.prose("a\u{0}\n\u{1f}\"é")
        #expect(String(decoding: writer.bytes, as: UTF8.self) == "\"a\u{FFFD}\\u000a\\u001f\\\"é\"")
    }
}
