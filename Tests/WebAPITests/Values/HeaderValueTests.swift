import Foundation
import HTTPTypes
import Testing

@testable import Web

struct HeaderValueTests {
    private func problem<Value>(_ make: () throws(ProblemDetails) -> Value) -> ProblemType? {
        do {
            _ = try make()
            return nil
        } catch {
            return error.type
        }
    }

    @Test func `a key is one UUID`() throws {
        let key = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"
        #expect(try IdempotencyKey([.idempotencyKey: key]).uuid.uuidString.lowercased() == key)
        #expect(
            try IdempotencyKey([.idempotencyKey: "\"\(key.uppercased())\""]).uuid == IdempotencyKey(text: key)?.uuid)
        #expect(problem { () throws(ProblemDetails) in try IdempotencyKey([:]) } == .idempotencyKeyRequired)
        var twice = HTTPFields()
        twice.append(HTTPField(name: .idempotencyKey, value: key))
        twice.append(HTTPField(name: .idempotencyKey, value: key))
        for headers in [[.idempotencyKey: "7"], [.idempotencyKey: ""], [.idempotencyKey: key + "0"], twice]
            as [HTTPFields]
        {
            #expect(problem { () throws(ProblemDetails) in try IdempotencyKey(headers) } == .invalidHeader)
        }
    }

    @Test func `a tag names version and representation`() throws {
        let (one, other) = (EntityTag(version: 3, body: [1]), EntityTag(version: 3, body: [2]))
        #expect(one.version == 3)
        #expect(one != other)
        #expect(one.headerValue.hasPrefix("\"3."))
        #expect(EntityTag(body: [1]).version == nil)
        for opaque in ["", "3", ".a", "3.a.b", "-3.a", "+3.a", "99999999999999999999.a"] {
            #expect(EntityTag(opaque: opaque).version == nil, "\(opaque)")
        }
    }

    @Test func `If-Match compares the version`() throws {
        let tag = EntityTag(version: 3, body: [1]).headerValue
        let stale = EntityTag(version: 2, body: [1]).headerValue
        func check(_ value: String) -> ProblemType? {
            problem { () throws(ProblemDetails) in try ExpectedVersion([.ifMatch: value]).check(3) }
        }
        #expect(check(tag) == nil)
        #expect(check("\"3.another\"") == nil)
        #expect(check("\(stale), \(tag)") == nil)
        #expect(check("*") == nil)
        #expect(check(stale) == .preconditionFailed)
        #expect(check("\"foreign\"") == .preconditionFailed)
        #expect(check("W/\(tag)") == .preconditionFailed)
        for broken in ["3", "\"3.a", "'3.a'", "\"a\" \"b\""] { #expect(check(broken) == .invalidHeader, "\(broken)") }
        #expect(problem { () throws(ProblemDetails) in try ExpectedVersion([:]) } == .preconditionRequired)
    }

    @Test func `If-None-Match compares the whole, weakly`() throws {
        let tag = EntityTag(version: 3, body: [1])
        func matches(_ value: String) throws -> Bool {
            try #require(try EntityTagCondition(.ifNoneMatch, in: [.ifNoneMatch: value])).matches(tag)
        }
        #expect(try matches(tag.headerValue))
        #expect(try matches("W/\(tag.headerValue)"))
        #expect(try matches("\"x\" , \(tag.headerValue)"))
        #expect(try matches(" * "))
        #expect(try !matches("\"3.other\""))
        #expect(try EntityTagCondition(.ifNoneMatch, in: [:]) == nil)
    }

    @Test(arguments: [
        ("handling=strict", true), ("handling=\"strict\"", true), ("respond-async, Handling=strict; foo", true),
        ("handling=lenient", false), ("handling=lenient, handling=strict", false), ("strict", false), ("", false),
    ])
    func `preferences`(value: String, isStrict: Bool) {
        #expect(Preferences([.prefer: value]).isStrict == isStrict)
    }
}
