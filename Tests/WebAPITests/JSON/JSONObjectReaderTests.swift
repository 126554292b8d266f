import Domain
import JSON
import Testing

@testable import Web

struct JSONObjectReaderTests {
    private func reader(_ text: String) throws -> JSONObjectReader {
        JSONObjectReader(try JSONValue(parsing: Array(text.utf8)))
    }

    @Test func `every fault is listed at once, each with its pointer`() throws {
        var body = try reader(
            #"{"confidence":11,"count":2.5,"notes":7,"visit":{"minutes":"x","depth":1},"colour":null,"a/b":1}"#)
        _ = body.required("confidence", Int.self, Confidence.init(_:))
        _ = body.optional("count", Int.self, IndividualCount.init(_:))
        _ = body.optional("notes", String.self, Note.init(_:))
        _ = body.required("observedAt", String.self, ObservationTime.init(_:))
        let visit: Int? = body.object("visit") { visit in
            _ = visit.required("id", String.self, VisitID.init(text:))
            return visit.optional("minutes", Int.self)
        }
        #expect(visit == nil)
        let faults = #expect(throws: Faults.self) { try body.finish() }
        #expect(
            faults?.all.map { "\($0.pointer) \($0.code)" } == [
                "/confidence range", "/count type", "/notes type", "/observedAt required", "/visit/id required",
                "/visit/minutes type", "/visit/depth unexpected", "/colour unexpected", "/a~1b unexpected",
            ])
    }

    @Test func `absent is told from null`() throws {
        var body = try reader(#"{"a":null,"b":1,"d":null}"#)
        #expect(body.change("a", Int.self) == .cleared)
        #expect(body.change("b", Int.self) == .set(1))
        #expect(body.change("c", Int.self) == .unset)
        #expect(body.replacement("d", Int.self) { (value: Int) throws(RuleViolation) in value } == nil)
        #expect(body.faults.all.map(\.pointer) == ["/d"])
    }

    @Test func `null where something is required is missing`() throws {
        var body = try reader(#"{"a":null}"#)
        #expect(body.required("a", String.self) == nil)
        #expect(body.faults.all.map(\.code) == [.required])
    }

    @Test(arguments: ["[]", "1", "null", "\"x\""])
    func `a body that is no object says so once`(text: String) throws {
        var body = try reader(text)
        _ = body.required("a", String.self)
        _ = body.items("b", count: 1...2)
        let faults = #expect(throws: Faults.self) { try body.finish() }
        #expect(faults?.all.map { "\($0.pointer)|\($0.code)" } == ["|type"])
    }

    @Test func `NUL is a fault of the value, not of the document`() throws {
        var body = try reader(#"{"notes":"a\u0000b","count":0}"#)
        _ = body.optional("notes", String.self)
        _ = body.optional("count", Int.self, IndividualCount.init(_:))
        #expect(body.faults.all.map { "\($0.pointer) \($0.code)" } == ["/notes format", "/count range"])
    }

    @Test func `an array has bounds`() throws {
        var body = try reader(#"{"a":[1,2,3],"b":{},"c":[]}"#)
        #expect(body.items("a", count: 1...3)?.count == 3)
        #expect(body.items("b", count: 1...3) == nil)
        #expect(body.items("c", count: 1...3) == nil)
        #expect(body.items("d", count: 1...3) == nil)
        #expect(body.faults.all.map { "\($0.pointer) \($0.code)" } == ["/b type", "/c length", "/d required"])
    }

    @Test func `a valid body finishes in peace`() throws {
        var body = try reader(#"{"a":"x","b":null}"#)
        #expect(body.required("a", String.self) == "x")
        #expect(body.optional("b", Double.self) == nil)
        #expect(throws: Never.self) { try body.finish() }
    }
}
