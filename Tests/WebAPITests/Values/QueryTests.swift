import Domain
import Foundation
import HTTPTypes
import ReadModels
import Testing

@testable import WebAPI

struct QueryTests {
    @Test func `names and values are decoded`() {
        var query = QueryReader(query: "q=Troglodytes+pacificus%20%C3%A9&empty=&flag")
        #expect(query.optional("q") { (text: String) throws(RuleViolation) in text } == "Troglodytes pacificus é")
        #expect(query.optional("empty") { (text: String) throws(RuleViolation) in text } == "")
        #expect(query.optional("flag") { (text: String) throws(RuleViolation) in text } == "")
        #expect(throws: Never.self) { try query.finish() }
    }

    @Test func `everything wrong is told at once`() throws {
        var query = QueryReader(query: "limit=0&limt=5&after=x&after=y&bbox=1,2,3&bad=%zz&nul=%00")
        _ = query.optional("limit", PageLimit.init(_:))
        _ = query.optional("after") { (text: String) throws(RuleViolation) in text }
        _ = query.optional("bbox", BoundingBox.init(_:))
        do {
            try query.finish()
            Issue.record("nothing was wrong")
        } catch {
            #expect(error.type == .invalidParameter)
            #expect(
                error.errors.map { "\($0.place) \($0.code)" } == [
                    "parameter(\"bad\") format", "parameter(\"nul\") format", "parameter(\"limit\") range",
                    "parameter(\"after\") conflict", "parameter(\"bbox\") format", "parameter(\"limt\") unexpected",
                ])
        }
    }

    @Test(arguments: ["", "0", "201", "-1", "+5", "5.0", "1e2", "99999999999999999999", " 5"])
    func `limits`(text: String) {
        #expect(throws: RuleViolation.self) { try PageLimit(text) }
    }

    @Test func `boxes`() throws {
        let pacific = try BoundingBox("170,-10,-170,10.5")
        #expect(pacific.west == 170 && pacific.south == -10 && pacific.east == -170 && pacific.north == 10.5)
        for text in [
            "", "1,2,3", "1,2,3,4,5", "a,2,3,4", "181,0,0,1", "0,1,1,0", "0,-91,1,0", "nan,0,1,1", "0x1,0,1,1",
            "1e1,0,2,1",
        ] {
            #expect(throws: RuleViolation.self, "\(text)") { try BoundingBox(text) }
        }
    }

    @Test func `as of a position or a time, never one to come`() throws {
        #expect(try AsOf("3-17") == .position(try #require(GivenLogPosition("3-17"))))
        let time = try Instant("2026-05-01T07:30:00Z")
        #expect(try AsOf("2026-05-01T07:30:00Z") == .time(time))
        #expect(try AsOf("2026-05-01T09:30:00 02:00") == .time(time), "an unescaped plus")
        for text in ["", "2026-05-01", "2026-05-01T07:30:00", "soon"] {
            #expect(throws: RuleViolation.self, "\(text)") { try AsOf(text) }
        }
        #expect(throws: Never.self) { try AsOf("2026-05-01T07:30:00Z").check(now: time) }
        #expect(throws: ProblemDetails.self) { try AsOf("2026-05-01T07:30:01Z").check(now: time) }
    }
}

struct PageCursorTests {
    private let cursor = PageCursor([.integer(-1_746_000_000_000_000), .uuid(UUID()), .text("Wren é"), .text("")])

    @Test func `a cursor reads back as it was`() throws {
        let token = cursor.token(scope: "findings?kind=bird")
        #expect(try PageCursor(token: token, scope: "findings?kind=bird") == cursor)
        #expect(token.utf8.allSatisfy { $0.isASCIIAlphanumeric || $0 == 0x2D || $0 == 0x5F })
    }

    @Test func `a cursor of another query is rejected`() {
        let token = cursor.token(scope: "findings?kind=bird")
        #expect(throws: RuleViolation.self) { try PageCursor(token: token, scope: "findings?kind=plant") }
    }

    @Test func `any change is noticed`() {
        let token = Array(cursor.token(scope: "s").utf8)
        for index in token.indices {
            for replacement in [UInt8(ascii: "A"), UInt8(ascii: "z"), UInt8(ascii: "="), 0x80]
            where token[index] != replacement {
                var changed = token
                changed[index] = replacement
                let text = String(decoding: changed, as: UTF8.self)
                #expect(throws: RuleViolation.self) { try PageCursor(token: text, scope: "s") }
            }
        }
        for length in 0..<token.count {
            let text = String(decoding: token.prefix(length), as: UTF8.self)
            #expect(throws: RuleViolation.self) { try PageCursor(token: text, scope: "s") }
        }
    }
}

extension UInt8 {
    fileprivate var isASCIIAlphanumeric: Bool {
        (0x30...0x39).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
    }
}
