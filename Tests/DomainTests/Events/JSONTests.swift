import Foundation
import TestRandom
import Testing

@testable import Domain

@Suite struct JSONTests {
    private func parse(_ text: String) throws -> JSONValue {
        try JSONValue(Array(text.utf8))
    }

    @Test func readsEveryType() throws {
        let value = try parse(#" {"a":[1,-2.5e3,true,false,null],"b":{"c":"x\u00e9\n\ud83d\udc26\/"},"a":2} "#)
        #expect(value["b"]?["c"] == .string("xé\n🐦/"))
        #expect(value["a"]?.integer == 2, "the last member of a name counts")
        #expect(value.members?.members.first?.value.items?.count == 5)
        #expect(value.members?.members.first?.value.items?[1].number == -2500)
    }

    @Test(arguments: [
        "", " ", "{", "[1,]", "{\"a\"}", "{a:1}", "01", "-", "1.", "1e", "tru", "nul", "\"", "\"\\x\"", "\"\\u12\"",
        "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"a\nb\"", "1 2", "[1 2]", "{\"a\":1,}", "'a'", "+1", ".5",
    ])
    func refuses(text: String) {
        #expect(throws: JSONSyntaxError.self) { try parse(text) }
    }

    @Test func refusesDepthWithoutBound() {
        #expect(throws: JSONSyntaxError.self) { try parse(String(repeating: "[", count: 100_000)) }
        #expect(throws: Never.self) {
            try parse(String(repeating: "[", count: 60) + String(repeating: "]", count: 60))
        }
    }

    @Test func refusesBytesThatAreNoText() {
        #expect(throws: JSONSyntaxError.self) { try JSONValue([0x22, 0xFF, 0x22]) }
        #expect(throws: JSONSyntaxError.self) { try JSONValue([0x22, 0xED, 0xA0, 0x80, 0x22]) }
    }

    @Test func noBytesTrap() {
        var random = RandomSource(seed: 11)
        let alphabet = Array(#"{}[]":,\u0123dD8e+-.tfn "#.utf8)
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...24, using: &random)).map { _ in random.element(of: alphabet) }
            _ = try? JSONValue(bytes)
            _ = try? SightingEvent(type: SightingCorrected.type, payload: bytes)
        }
    }

    @Test func numbersAreWrittenSoThatTheyReadBack() throws {
        var random = RandomSource(seed: 12)
        for _ in 0..<20_000 {
            let number = Double(bitPattern: random.next())
            var writer = PayloadWriter()
            writer.number(number)
            let read = try JSONValue(writer.bytes)
            #expect(number.isFinite ? read.number == number : read == .null)
        }
    }

    @Test func numbersThatAreWholeHaveNoFraction() {
        var writer = PayloadWriter()
        writer.number(45)
        #expect(writer.bytes == Array("45".utf8))
    }

    @Test func hugeNumbersAreNoIntegers() throws {
        #expect(try parse("1e300").integer == nil)
        #expect(try parse("1e400").number == nil)
        #expect(try parse("1e2").integer == 100)
    }
}
