import Bytes
import Domain
import Foundation
import HTTPTypes
import ReadModels
import Service
import Testing

@testable import Web

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
}

struct PageCursorTests {
    private let seal = DailySeal(key: Array(0..<32), purpose: "page cursor")
    private let now = Instant(microsecondsSince1970: 1_777_645_800_123_456)
    private let cursor = PageCursor([.integer(-1_746_000_000_000_000), .uuid(UUID()), .text("Wren é"), .text("")])

    private func token(scope: String) throws -> String {
        try cursor.token(scope: scope, sealedBy: seal, at: now)
    }

    @Test func `a cursor reads back as it was`() throws {
        let token = try token(scope: "findings?kind=bird")
        #expect(try PageCursor(token: token, scope: "findings?kind=bird", sealedBy: seal) == cursor)
        #expect(token.utf8.allSatisfy { $0.isASCIIAlphanumeric || $0 == 0x2D || $0 == 0x5F })
    }

    @Test func `nobody reads what is in a cursor, and it does not expire`() throws {
        let bytes = try #require(Base64.url.decode(try token(scope: "s")))
        #expect(!bytes.contains(Array("Wren".utf8)))
        #expect(try token(scope: "s") != token(scope: "s"))
        let old = try cursor.token(scope: "s", sealedBy: seal, at: now.adding(seconds: -400 * 86_400))
        #expect(try PageCursor(token: old, scope: "s", sealedBy: seal) == cursor)
    }

    @Test func `a cursor of another query is rejected`() throws {
        let token = try token(scope: "findings?kind=bird")
        #expect(throws: RuleViolation.self) {
            try PageCursor(token: token, scope: "findings?kind=plant", sealedBy: seal)
        }
    }

    @Test func `any change is noticed`() throws {
        let token = Array(try token(scope: "s").utf8)
        for index in token.indices {
            for replacement in [UInt8(ascii: "A"), UInt8(ascii: "z"), UInt8(ascii: "="), 0x80]
            where token[index] != replacement {
                var changed = token
                changed[index] = replacement
                let text = String(decoding: changed, as: UTF8.self)
                #expect(throws: RuleViolation.self) { try PageCursor(token: text, scope: "s", sealedBy: seal) }
            }
        }
        for length in 0..<token.count {
            let text = String(decoding: token.prefix(length), as: UTF8.self)
            #expect(throws: RuleViolation.self) { try PageCursor(token: text, scope: "s", sealedBy: seal) }
        }
    }
}

extension UInt8 {
    fileprivate var isASCIIAlphanumeric: Bool {
        (0x30...0x39).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
    }
}
