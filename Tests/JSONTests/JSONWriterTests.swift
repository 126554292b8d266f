import Foundation
import JSON
import TestRandom
import Testing

struct JSONWriterTests {
    private func text(
        _ writer: JSONWriter = JSONWriter(), _ write: (inout JSONWriter) -> Void
    ) -> String {
        var writer = writer
        write(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test func `objects, arrays and nulls stand as they should`() {
        let json = text { writer in
            writer.object { writer in
                writer.field("a", 1)
                writer.field("b", nil as String?)
                writer.field("c", ["x", "y"])
                writer.field("d", object: { $0.field("e", true) })
                writer.field("f", [Int]())
                writer.field("g", json: Array(#"{"h":0}"#.utf8))
                writer.field("i", object: { _ in })
                writer.field("j", false)
            }
        }
        #expect(json == #"{"a":1,"b":null,"c":["x","y"],"d":{"e":true},"f":[],"g":{"h":0},"i":{},"j":false}"#)
    }

    @Test func `nested arrays have their commas`() {
        let json = text { writer in
            writer.array([[1, 2], [], [3]]) { writer, items in writer.array(items) { $1.write(to: &$0) } }
        }
        #expect(json == "[[1,2],[],[3]]")
    }

    @Test(arguments: [
        "", "plain", "\"quoted\" \\ back", "tab\tline\nreturn\r", "\u{0}\u{1F}\u{7F}", "é 字 🐦 \u{2028}",
        "</script>",
    ])
    func `any string reads back as itself`(string: String) throws {
        let json = text { $0.string(string) }
        let parsed = try JSONValue(parsing: Array(json.utf8))
        #expect(parsed == .string(string))
    }

    @Test(arguments: [
        (0.0, "0"), (-0.0, "0"), (47.5, "47.5"), (-122.33207, "-122.33207"), (1e21, "1e+21"), (5e-300, "5e-300"),
        (.infinity, "null"), (.nan, "null"), (9_007_199_254_740_992, "9007199254740992.0"),
        (1e15, "1000000000000000"),
    ])
    func `numbers are the shortest that read back`(value: Double, expected: String) {
        #expect(text { $0.number(value) } == expected)
    }

    @Test(arguments: [0, 7, -7, 10, Int64.max, Int64.min])
    func `whole numbers to the edges`(value: Int64) {
        #expect(text { $0.integer(value) } == String(value))
    }

    @Test func `ids are in lower case`() throws {
        let id = try #require(UUID(uuidString: "0190A1B2-C3D4-7E5F-8A9B-0C1D2E3F4A5B"))
        #expect(text { $0.uuid(id) } == "\"0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b\"")
    }

    @Test func `a member without a value is null or left out, as the writer was told`() {
        func members(_ writer: inout JSONWriter) {
            writer.object {
                $0.field("a", nil as Int?)
                $0.field("b", 1 as Int?)
            }
        }
        #expect(text(JSONWriter(), members) == #"{"a":null,"b":1}"#)
        #expect(text(JSONWriter(absentMembers: .omitted), members) == #"{"b":1}"#)
    }

    @Test func `control characters have a short form or always the same`() {
        let string = "\"\\\n\r\t\u{0}\u{1F}"
        #expect(text { $0.string(string) } == #""\"\\\n\r\t\u0000\u001f""#)
        #expect(text(JSONWriter(escapes: .numeric)) { $0.string(string) } == #""\"\\\u000a\u000d\u0009\u0000\u001f""#)
    }

    @Test(arguments: RandomSource.seeds(20))
    func `any number reads back as itself`(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        for _ in 0..<1000 {
            let number = Double(bitPattern: random.next())
            let read = try JSONValue(parsing: Array(text { $0.number(number) }.utf8))
            #expect(number.isFinite ? read.number == number : read == .null)
        }
    }
}
