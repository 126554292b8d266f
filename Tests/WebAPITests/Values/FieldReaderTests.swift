import Domain
import JSON
import Testing

@testable import Web

/// The same fields, read from a query and from a JSON object.
struct FieldReaderTests {
    private struct Fields: Equatable {
        var name: String?
        var count: Int?
        var metres: Double?
        var captive: Bool?
        var kinds: [TaxonKind]?
    }

    private static func read(_ reader: inout some FieldReader) -> Fields {
        Fields(
            name: reader.required("name") { (text) throws(RuleViolation) in text },
            count: reader.optional("count", Int.self, IndividualCount.init(_:))?.value,
            metres: reader.optional("metres", Double.self), captive: reader.optional("captive", Bool.self),
            kinds: reader.optionalWords("kinds", count: 1...2, TaxonKind.init(word:)))
    }

    private func object(_ text: String) throws -> JSONObjectReader {
        JSONObjectReader(try JSONValue(parsing: Array(text.utf8)))
    }

    @Test func `fields of every type are read from a query and from a JSON object`() throws {
        var query = QueryReader(query: "name=Ann+B&count=12&metres=-0.5&captive=false&kinds=bird,plant")
        var body = try object(
            #"{"name":"Ann B","count":12,"metres":-0.5,"captive":false,"kinds":["bird","plant"]}"#)
        let expected = Fields(name: "Ann B", count: 12, metres: -0.5, captive: false, kinds: [.bird, .plant])
        #expect(Self.read(&query) == expected)
        #expect(Self.read(&body) == expected)
        #expect(throws: Never.self) { try query.finish() }
        #expect(throws: Never.self) { try body.finish() }
    }

    @Test func `a missing field is nil, and a fault only if it is required`() throws {
        var (query, body) = (QueryReader(query: ""), try object(#"{"kinds":null}"#))
        #expect(Self.read(&query) == Fields())
        #expect(Self.read(&body) == Fields())
        #expect(query.faults == [ProblemFault(.parameter("name"), .required)])
        #expect(body.faults.all == [Fault("/name", .required)])
    }

    @Test func `a query and a JSON object have the same faults`() throws {
        var query = QueryReader(query: "name=x&count=0&metres=wide&captive=yes&kinds=bird,fish&colour=red")
        var body = try object(
            #"{"name":"x","count":0,"metres":"wide","captive":"yes","kinds":["bird","fish"],"colour":"red"}"#)
        #expect(Self.read(&query) == Fields(name: "x"))
        #expect(Self.read(&body) == Fields(name: "x"))
        let problem = #expect(throws: ProblemDetails.self) { try query.finish() }
        let faults = #expect(throws: Faults.self) { try body.finish() }
        #expect(problem?.errors.map(\.code) == ["range", "type", "type", "vocabulary", "unexpected"])
        #expect(faults?.all.map(\.code.rawValue) == problem?.errors.map(\.code))
        #expect(faults?.all.dropLast().map(\.message) == problem?.errors.dropLast().map(\.detail))
        #expect(faults?.all.map(\.pointer) == ["/count", "/metres", "/captive", "/kinds/1", "/colour"])
    }

    @Test(arguments: [
        "count=+5", "count=5.0", "count=1e2", "count=", "metres=nan", "metres=0x1", "metres=1e3", "captive=1",
    ])
    func `a number or flag in another notation is of the wrong type`(text: String) {
        var query = QueryReader(query: "name=x&\(text.replacing("+", with: "%2B"))")
        #expect(Self.read(&query) == Fields(name: "x"))
        #expect(query.faults.map(\.code) == ["type"])
    }

    @Test(arguments: ["", "bird,", "bird,plant,other"])
    func `a list of words is a fault if it is too long or a word is empty`(words: String) {
        var query = QueryReader(query: "name=x&kinds=\(words)")
        #expect(Self.read(&query) == Fields(name: "x"))
        #expect(query.faults.count == 1)
    }

    @Test func `a required parameter is reported as missing only if there is no fault before it`() {
        var query = QueryReader(query: "bad=%zz")
        #expect(Self.read(&query) == Fields())
        #expect(query.faults.map(\.place) == [.parameter("bad")])
    }
}
