import Domain
import JSON
import TestRandom
import Testing

@testable import Web

struct RecordFilterReadingTests {
    private static let id = "0196f1a4-0000-7000-8000-00000000002a"
    /// For each member, a text for a query and a value for a body.
    private static let fields: [RecordFilter.Member: (query: String, json: String)] = [
        .taxon: (id, "\"\(id)\""), .kind: ("bird", "\"bird\""), .region: ("hawaii", "\"hawaii\""),
        .state: ("US-HI", "\"US-HI\""), .country: ("US", "\"US\""), .box: ("-160,18,-154,23", "\"-160,18,-154,23\""),
        .from: ("2026-05-01", "\"2026-05-01\""), .to: ("2026-05-31", "\"2026-05-31\""),
        .statuses: ("pending,approved", "[\"approved\",\"pending\"]"), .maxUncertainty: ("1000.0", "1e3"),
        .captive: ("false", "false"), .dataset: (id, "\"\(id)\""), .minConfidence: ("8", "8"),
        .hasPhoto: ("true", "true"),
    ]
    private let places: PlaceIndex
    private let whole: RecordFilter

    init() throws {
        let (hawaii, state) = (try RegionCode("hawaii"), try StateCode("US-HI"))
        let ring = try [(18.0, -160.0), (18, -154), (23, -154), (23, -160)].map {
            try Coordinate(latitude: $0.0, longitude: $0.1)
        }
        places = try PlaceIndex(
            areas: [AdministrativeArea(code: state.text, name: "Hawaii", level: .state, polygons: [[ring]])],
            regions: [
                Region(code: hawaii, name: "Hawaii", zone: ZoneName(unchecked: "Pacific/Honolulu"), members: [state])
            ],
            islands: [], version: PolygonSetCode(unchecked: "test-v1"))
        let id = try TaxonID(text: Self.id)
        whole = RecordFilter(
            taxon: id, kind: .bird, region: hawaii, state: state, country: state.country,
            box: try BoundingBox(west: -160, south: 18, east: -154, north: 23), from: try CivilDate("2026-05-01"),
            to: try CivilDate("2026-05-31"), statuses: [.pending, .approved],
            minConfidence: try Confidence(8), maxUncertainty: try UncertaintyMetres(1000), hasPhoto: true,
            captive: false, dataset: .one(DatasetID(id.uuid)))
    }

    private func makeQuery(_ members: [RecordFilter.Member], value: String? = nil) -> QueryReader {
        let pairs = members.map { "\($0.rawValue)=\(value ?? Self.fields[$0]?.query ?? "")" }
        return QueryReader(query: pairs.joined(separator: "&"))
    }

    private func makeBody(_ members: [RecordFilter.Member]) throws -> JSONObjectReader {
        let pairs = members.map { "\"\($0.rawValue)\":\(Self.fields[$0]?.json ?? "")" }
        return JSONObjectReader(try JSONValue(parsing: Array("{\(pairs.joined(separator: ","))}".utf8)))
    }

    @Test(arguments: RandomSource.seeds(3))
    func `a filter is read from a query and from a body, in any order`(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        let accepted = RecordFilter.Member.allCases
        for _ in 0..<20 {
            var query = makeQuery(accepted.shuffled(using: &random))
            var body = try makeBody(accepted.shuffled(using: &random))
            let filters = [
                query.recordFilter(accepting: accepted.shuffled(using: &random), places),
                body.recordFilter(accepting: accepted, places),
            ]
            try query.finish()
            try body.finish()
            #expect(filters == [whole, whole])
            #expect(Set(filters.map(\.canonical)) == [whole.canonical])
        }
    }

    @Test(arguments: RecordFilter.Member.allCases)
    func `a member that is not accepted is unknown`(member: RecordFilter.Member) throws {
        let accepted = RecordFilter.Member.allCases.filter { $0 != member }
        var query = makeQuery(RecordFilter.Member.allCases)
        var body = try makeBody(RecordFilter.Member.allCases)
        #expect(query.recordFilter(accepting: accepted, places) != whole)
        #expect(body.recordFilter(accepting: accepted, places) != whole)
        let problem = #expect(throws: ProblemDetails.self) { try query.finish() }
        let faults = #expect(throws: Faults.self) { try body.finish() }
        let place = ProblemFault.Place.parameter(member.rawValue)
        #expect(problem?.errors.map(\.place) == [place] && problem?.errors.map(\.code) == ["unexpected"])
        #expect(faults?.all.map(\.pointer) == ["/" + member.rawValue] && faults?.all.map(\.code) == [.unexpected])
    }

    @Test func `faults are noted in the order of what is accepted`() {
        let accepted = Array(RecordFilter.Member.allCases.reversed())
        var query = makeQuery(RecordFilter.Member.allCases, value: "x")
        #expect(query.recordFilter(accepting: accepted, places) == RecordFilter())
        #expect(query.faults.map(\.place) == accepted.map { ProblemFault.Place.parameter($0.rawValue) })
    }

    @Test func `only words that are accepted are statuses`() {
        var query = makeQuery([.statuses])
        let words = [SightingStatus.approved, .acceptedBySource]
        #expect(query.recordFilter(accepting: [.statuses], statuses: words, places) == RecordFilter())
        #expect(query.faults == [ProblemFault(.parameter("status"), .vocabulary(words.map(\.rawValue)))])
    }

    @Test func `a dataset may be none`() {
        var query = makeQuery([.dataset], value: "none")
        #expect(query.recordFilter(accepting: [.dataset], places) == RecordFilter(dataset: DatasetChoice.none))
        #expect(query.faults.isEmpty)
    }

    @Test func `only regions that are known are accepted`() {
        var query = makeQuery([.region], value: "cascadia")
        #expect(query.recordFilter(accepting: [.region], places) == RecordFilter())
        #expect(query.faults == [ProblemFault(.parameter("region"), .unknownRegion)])
    }
}
