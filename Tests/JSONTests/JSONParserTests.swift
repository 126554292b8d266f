import Foundation
import TestRandom
import Testing

@testable import JSON

struct JSONParserTests {
    private func parse(_ text: String) throws -> JSONValue {
        try JSONValue(parsing: Array(text.utf8))
    }

    private func fault(_ text: String) -> MalformedJSON? {
        #expect(throws: MalformedJSON.self) { try parse(text) }
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `random documents mean what Foundation says they mean`(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        for _ in 0..<50 {
            let text = random.document()
            let ours = try parse(text)
            let theirs = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
            #expect(agree(ours, theirs), "\(text)")
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `what is written reads back as it was`(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        for _ in 0..<50 {
            let node = try parse(random.document())
            #expect(try JSONValue(parsing: JSONWriter.bytes(of: node)) == normalised(node))
        }
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `any bytes at all are read or rejected, and what is rejected Foundation does not read otherwise either`(
        seed: UInt64
    ) throws {
        var random = RandomJSON(seed: seed)
        for _ in 0..<100 {
            var bytes = Array(random.document().utf8)
            for _ in 0..<Int.random(in: 1...3, using: &random.generator) where !bytes.isEmpty {
                mutate(&bytes, &random.generator)
            }
            guard let ours = try? JSONValue(parsing: bytes) else { continue }
            let theirs = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
            let value = try #require(theirs, "we read what Foundation rejects: \(bytes)")
            #expect(agree(ours, value), "\(bytes)")
        }
    }

    @Test func `noise never traps`() {
        var generator = RandomSource(seed: 7)
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0..<40, using: &generator)).map { _ in
                Bool.random(using: &generator)
                    ? Array("{}[]\",:\\u0D8eE-+.1ntf ".utf8).randomElement(using: &generator) ?? 0
                    : UInt8.random(in: 0...255, using: &generator)
            }
            _ = try? JSONValue(parsing: bytes)
        }
    }

    @Test func `whole numbers are told from others`() throws {
        #expect(try parse("9223372036854775807") == .integer(.max))
        #expect(try parse("9223372036854775808") == .number(9.223372036854775808e18))
        #expect(try parse("-0") == .number(-0.0))
        #expect(try parse("5.0") == .number(5))
        #expect(try parse("5.0").integer == 5)
        #expect(try parse("5e2").integer == 500)
        #expect(try parse("5.5").integer == nil)
        #expect(try parse("1e300").integer == nil)
    }

    @Test(arguments: [
        "", " ", "{", "[", "\"", "{\"a\"}", "{\"a\":}", "{a:1}", "{\"a\":1,}", "[1,]", "[,1]", "01", "-", "+1",
        ".5", "1.",
        "1e", "1e+", "0x1", "NaN", "Infinity", "nul", "truee", "1 2", "{}{}", "// x\n1", "'a'", "\"\u{1}\"",
        "\"\\x\"",
        "\"\\u12\"", "\u{FEFF}1", "1e400", "-1e400", "\"a\nb\"", "[1}", "{\"a\":1]", "\"\\u12G4\"", "\"\\",
    ])
    func `what RFC 8259 does not allow is rejected`(text: String) {
        _ = fault(text)
    }

    @Test(arguments: [
        #""\ud83d""#, #""\udc26""#, #""\ud83dx""#, #""\ud83d\n""#, #""\ud83d\u0041""#, #""\ud83d\ud83d""#,
        #"{"\udc26":1}"#,
    ])
    func `half a surrogate pair is rejected, wherever it stands`(text: String) {
        #expect(fault(text)?.reason == "half of a surrogate pair is no character")
    }

    @Test(arguments: [[0x80], [0xC3], [0xED, 0xA0, 0x80], [0xF8, 0x88], [0xC0, 0xAF]])
    func `bytes that are not UTF-8 are rejected`(bytes: [UInt8]) {
        #expect(throws: MalformedJSON.self) { try JSONValue(parsing: [0x22] + bytes + [0x22]) }
    }

    @Test func `a fault tells its place`() throws {
        let inner = try #require(fault(#"{"visit":{"a/b":[1,2,x]}}"#))
        #expect(inner.pointer == "/visit/a~1b/2")
        #expect(inner.offset == 21)
        let twice = try #require(fault(#"{"visit":{"id":1,"id":2}}"#))
        #expect(twice.pointer == "/visit/id")
        #expect(twice.offset == 17)
        #expect(twice.reason.contains("once"))
    }

    @Test func `names that differ only in how they are escaped are the same name`() {
        #expect(fault(#"{"a":1,"\u0061":2}"#)?.pointer == "/a")
    }

    @Test func `where names may be repeated the last one counts`() throws {
        let lenient = JSONLimits(allowsRepeatedNames: true)
        #expect(try JSONValue(parsing: Array(#"{"a":[1],"b":0,"a":2}"#.utf8), limits: lenient)["a"] == .integer(2))
        #expect(throws: MalformedJSON.self) { try parse(#"{"a":[1],"b":0,"a":2}"#) }
    }

    @Test func `a name among thousands is still found twice, and fast`() throws {
        let members = (0..<5000).map { "\"k\($0)\":0" }.joined(separator: ",")
        let limits = JSONLimits(depth: 4, bytes: 1 << 20)
        #expect(throws: Never.self) { try JSONValue(parsing: Array("{\(members)}".utf8), limits: limits) }
        #expect(throws: MalformedJSON.self) {
            try JSONValue(parsing: Array("{\(members),\"k77\":1}".utf8), limits: limits)
        }
    }

    @Test func `depth and size are bounded`() throws {
        let limits = JSONLimits(depth: 3, bytes: 20)
        #expect(throws: Never.self) { try JSONValue(parsing: Array("[[[1]]]".utf8), limits: limits) }
        #expect(throws: MalformedJSON.self) { try JSONValue(parsing: Array("[[[[1]]]]".utf8), limits: limits) }
        #expect(throws: MalformedJSON.self) {
            try JSONValue(parsing: Array(repeating: 0x20, count: 21), limits: limits)
        }
        let deep = Array(repeating: UInt8(ascii: "["), count: 60_000)
        #expect(throws: MalformedJSON.self) { try JSONValue(parsing: deep) }
        #expect(throws: Never.self) {
            try parse(String(repeating: "[", count: 60) + String(repeating: "]", count: 60))
        }
    }
}

extension JSONParserTests {
    private func mutate(_ bytes: inout [UInt8], _ generator: inout RandomSource) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes.remove(at: index)
        case 1: bytes[index] = UInt8.random(in: 0...255, using: &generator)
        case 2: bytes.insert(Array("{}[]\",:\\0e".utf8).randomElement(using: &generator) ?? 0, at: index)
        default: bytes.removeLast(bytes.count - index)
        }
    }

    /// Numbers as the writer writes them: a whole one without a fraction.
    private func normalised(_ node: JSONValue) -> JSONValue {
        switch node {
        case .number(let value):
            Int(exactly: value).flatMap { $0.magnitude < 1 << 53 ? .integer($0) : nil } ?? node
        case .integer(let value): value.magnitude < 1 << 53 ? node : .integer(value)
        case .array(let items): .array(items.map(normalised))
        case .object(let members): .object(members.map { JSONMember($0.name, normalised($0.value)) })
        default: node
        }
    }

    private func agree(_ ours: JSONValue, _ theirs: Any) -> Bool {
        switch ours {
        case .null: return theirs is NSNull
        case .boolean(let value): return (theirs as? Bool) == value
        case .integer(let value): return (theirs as? NSNumber)?.int64Value == Int64(value)
        case .number(let value):
            // Foundation may go through decimals: the last digits can differ.
            guard let number = (theirs as? NSNumber)?.doubleValue else { return false }
            return number == value || abs(number - value) <= abs(value) * 1e-14
        case .string(let value): return (theirs as? String).map { Array($0.utf8) == Array(value.utf8) } ?? false
        case .array(let items):
            guard let array = theirs as? [Any], array.count == items.count else { return false }
            return zip(items, array).allSatisfy(agree)
        case .object(let members):
            guard let object = theirs as? [String: Any], object.count == members.count else { return false }
            return members.allSatisfy { member in object[member.name].map { agree(member.value, $0) } ?? false }
        }
    }
}
