import Domain
import Foundation
import Testing

@testable import WebAPI

@Suite("Representations")
struct RepresentationTests {
    private let document: OpenAPIDocument
    private let validator: SchemaValidator
    private let id = UUID()
    private let instant = Instant(microsecondsSince1970: 1_777_645_800_123_456)
    private let wren = TaxonReference(
        id: UUID(), scientificName: "Troglodytes pacificus", commonName: nil, kind: "bird")

    init() throws {
        document = try OpenAPIDocument()
        validator = SchemaValidator(document: document)
    }

    /// Both an empty and a full one must fit, or a null where a value belongs could hide.
    private func expectFits(
        _ value: some JSONRepresentable, _ schema: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let json = try JSONNode(parsing: JSONWriter.bytes(of: value))
        let faults = try validator.faults(json, try document.schema(schema))
        #expect(faults.isEmpty, sourceLocation: sourceLocation)
    }

    private var bareFinding: FindingView {
        FindingView(
            id: id, observedAt: "2026-05", observedFrom: instant, observedTo: instant, latitude: 47, longitude: -122.5,
            regionBasis: "none", status: "pending", captive: false, licence: "CC0-1.0", geoprivacy: "open",
            surveyProtocol: "incidental", version: 1, position: 7, recordedAt: instant)
    }

    private var fullFinding: FindingView {
        var finding = bareFinding
        finding.taxon = wren
        finding.verbatimName = "Wren \"x\""
        finding.count = 2
        finding.confidence = 10
        finding.uncertaintyMetres = 30.5
        finding.state = "US-WA"
        finding.region = "pacific-northwest"
        finding.regionDistanceMetres = 12.25
        finding.notes = "line\nline"
        finding.visit = VisitView(
            id: id, startedAt: instant, minutes: 60, distanceKm: 1.5, observers: 2, complete: true)
        finding.promptedBy = id
        finding.suggestions = [wren]
        return finding
    }

    @Test("findings")
    func findings() throws {
        try expectFits(bareFinding, "Finding")
        try expectFits(fullFinding, "Finding")
        try expectFits(Page(items: [bareFinding, fullFinding], next: "abc"), "FindingPage")
        try expectFits(Page<FindingView>(items: [], next: nil), "FindingPage")
    }

    @Test("the members of a finding stand in the order of the document")
    func order() throws {
        let json = try JSONNode(parsing: JSONWriter.bytes(of: bareFinding))
        let required = try document.schema("Finding")["required"]?.items.compactMap(\.text)
        #expect(json.members.map(\.name) == required)
    }

    @Test("public sightings and tombstones")
    func publicSightings() throws {
        let date = try CivilDate("2026-05-01")
        var sighting = PublicSightingView(
            id: id, observedAt: "2026", observedFrom: date, observedTo: date, status: "accepted-by-source",
            captive: false)
        try expectFits(sighting, "PublicSighting")
        sighting.taxon = wren
        sighting.verbatimName = "Wren"
        sighting.count = 1
        sighting.confidence = 1
        (sighting.latitude, sighting.longitude, sighting.uncertaintyMetres) = (47.05, -122.05, 7872)
        sighting.coordinatePrecision = 0.1
        (sighting.state, sighting.region, sighting.country) = ("US-WA", "pacific-northwest", "US")
        sighting.licence = "CC-BY-4.0"
        sighting.observer = .init(id: id, displayName: "maria")
        sighting.dataset = DatasetReference(id: id, title: "BBS", publisher: "USGS", citation: nil)
        sighting.notes = "x"
        sighting.surveyProtocol = "target"
        sighting.position = 9
        sighting.recordedAt = instant
        try expectFits(sighting, "PublicSighting")
        try expectFits(
            SightingTombstone(
                id: id, taxon: wren, status: "withdrawn", reason: "mistake", observedAt: "2026-05", recordedAt: instant,
                endedAt: nil), "SightingTombstone")
    }

    @Test("accounts and sessions")
    func accounts() throws {
        let account = AccountView(
            id: id, observerId: id, email: "wren@example.org", name: "Maria", displayName: "birder 4f2a",
            attribution: "anonymous", state: nil, region: nil, licence: "CC-BY-4.0", geoprivacy: "private",
            roles: ["birder", "admin"], createdAt: instant)
        try expectFits(account, "Account")
        try expectFits(SessionView(accessToken: "a", refreshToken: "b", expiresIn: 900, account: account), "Session")
        try expectFits(AccountRolesView(id: id, roles: ["moderator"]), "AccountRoles")
    }

    @Test("histories")
    func histories() throws {
        let entries = [
            HistoryEntryView(
                kind: "corrected", version: 2, position: 8, recordedAt: instant, by: "moderator 2", reason: "mistake",
                changes: [.init(field: "count", before: .integer(1), after: .null)]),
            HistoryEntryView(
                kind: "submitted", version: nil, position: nil, recordedAt: nil, by: "owner", reason: nil, changes: []),
        ]
        try expectFits(WholeList(items: entries), "History")
    }

    @Test("results of a batch")
    func batch() throws {
        let tag = EntityTag(version: 1, body: [1])
        let results = [
            BatchItemResult(key: id, outcome: .recorded(fullFinding, tag: tag), instance: "r"),
            BatchItemResult(
                key: nil,
                outcome: .refused(
                    ProblemDetails(
                        .validationFailed,
                        errors: [
                            ProblemFault(.pointer("/count"), RuleViolation(.range, "must be 1"))
                        ])), instance: "r"),
        ]
        try expectFits(WholeList(items: results), "SightingBatchResult")
    }

    @Test("taxa, regions, the log")
    func reference() throws {
        let summary = TaxonSummary(
            id: id, scientificName: "Troglodytes", commonName: nil, kind: "bird", rank: "genus", matchedName: "Nannus")
        try expectFits(Page(items: [summary], next: nil), "TaxonPage")
        try expectFits(
            TaxonView(
                summary: summary, authorship: "Vieillot",
                ancestors: [.init(id: id, scientificName: "Aves", rank: "class")],
                names: [.init(language: "en", name: "wrens")], synonyms: ["Nannus"], description: nil, link: nil,
                sensitivity: 4), "Taxon")
        let region = RegionView(
            code: "alaska", name: "Alaska", zone: "America/Anchorage", states: [.init(code: "US-AK", name: "Alaska")])
        try expectFits(WholeList(items: [region]), "RegionList")
        try expectFits(LogHeadView(position: 0, recordedAt: nil), "LogHead")
        try expectFits(LogHeadView(position: 9, recordedAt: instant), "LogHead")
    }

    @Test("maps, whose records add up")
    func maps() throws {
        let points = FeatureCollection(
            features: [
                .point(
                    MapPoint(
                        id: id, longitude: -122.5, latitude: 47, status: "pending", observedAt: "2026-05-01",
                        count: nil,
                        uncertaintyMetres: nil, taxon: wren))
            ], cellDegrees: nil, statuses: ["pending"])
        try expectFits(points, "Map")
        let cells = FeatureCollection(
            features: [
                .cell(MapCell(west: -125, south: 45, east: -120, north: 50, records: 5, pending: 1)),
                .cell(MapCell(west: -120, south: 45, east: -115, north: 50, records: 2, pending: 0)),
            ], cellDegrees: 5, statuses: ["approved"])
        try expectFits(cells, "Map")
        let json = try JSONNode(parsing: JSONWriter.bytes(of: cells))
        #expect(json["records"] == .integer(7))
    }

    @Test("problems and readiness", arguments: ProblemType.allCases)
    func problems(type: ProblemType) throws {
        let places: [ProblemFault.Place] = [.pointer("/a"), .parameter("b"), .header("C")]
        let problem = ProblemDetails(
            type, detail: "x", errors: places.map { ProblemFault($0, RuleViolation(.format, "must be so")) })
        for body in [problem.body(instance: "r"), ProblemDetails(type).body(instance: "r")] {
            let faults = try validator.faults(try JSONNode(parsing: body), try document.schema("Problem"))
            #expect(faults.isEmpty)
        }
        try expectFits(
            ReadinessReport([.init("database", .failed, detail: "x"), .init("model:a", .ready, lag: 0)]), "Readiness")
    }

    @Test("what the checker is for: it notices what does not fit")
    func validatorNotices() throws {
        var wrong = bareFinding
        wrong.status = "lost"
        wrong.confidence = 4
        let json = try JSONNode(parsing: JSONWriter.bytes(of: wrong))
        let schema = try document.schema("Finding")
        #expect(try validator.faults(json, schema) == ["/status is none of the words"])
        #expect(try !validator.faults(.object([]), schema).isEmpty)
        let extra = JSONNode.object(json.members + [JSONMember("extra", .null)])
        #expect(try validator.faults(extra, schema).contains("/extra is unknown"))
    }
}
