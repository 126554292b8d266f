import Foundation
import JSON
import Testing

@testable import Domain
@testable import Forms
@testable import ReadModels
@testable import Service
@testable import Web
@testable import WebAPI

struct RepresentationTests {
    private let document: OpenAPIDocument
    private let validator: SchemaValidator
    private let id = UUID()
    private let instant = Instant(microsecondsSince1970: 1_777_645_800_123_456)
    private let wren = TaxonSummary(
        id: TaxonID(UUID()), scientificName: "Troglodytes pacificus", commonName: nil, rank: .species, kind: .bird,
        parent: nil)

    init() throws {
        document = try OpenAPIDocument()
        validator = SchemaValidator(document: document)
    }

    /// Both an empty and a full one must fit, or a null where a value belongs could hide.
    private func expectFits(
        _ value: some JSONRepresentable, _ schema: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let json = try JSONValue(parsing: JSONWriter.bytes(of: value))
        let faults = try validator.faults(json, try document.schema(schema))
        #expect(faults.isEmpty, sourceLocation: sourceLocation)
    }

    private func bareFinding() throws -> Finding {
        var details = SightingDetails(
            observed: try ObservedInterval(try ObservationTime("2026-05"), in: .utc, rules: SystemZoneRules()),
            coordinate: try Coordinate(latitude: 47, longitude: -122.5),
            place: Place(basis: .none, polygons: try PolygonSetCode("ne-50m-v1")))
        (details.licence, details.geoprivacy, details.surveyProtocol) = (.cc0, .open, .incidental)
        return Finding(
            id: SightingID(id), details: details, status: .pending, version: 1, position: 7, createdAt: instant)
    }

    private func fullFinding() throws -> Finding {
        var finding = try bareFinding()
        finding.details.count = try IndividualCount(2)
        finding.details.confidence = try Confidence(10)
        finding.details.uncertainty = try UncertaintyMetres(30.5)
        finding.details.captive = true
        finding.details.place = Place(
            state: try StateCode("US-WA"), region: try RegionCode("pacific-northwest"), basis: .nearest,
            distanceMetres: 12.25, polygons: try PolygonSetCode("ne-50m-v1"))
        finding.details.visit = try Visit(
            id: VisitID(id), startedAt: instant, minutes: 60, distanceKm: 1.5, observers: 2, complete: true)
        finding.promptedBy = TargetsID(id)
        finding.taxon = wren
        finding.notes = "line\nline"
        finding.verbatimName = "Wren \"x\""
        finding.suggestions = [wren]
        return finding
    }

    @Test func `findings`() throws {
        try expectFits(bareFinding(), "Finding")
        try expectFits(fullFinding(), "Finding")
        try expectFits(Page(items: [bareFinding(), fullFinding()], next: "abc"), "FindingPage")
        try expectFits(Page<Finding>(items: [], next: nil), "FindingPage")
    }

    @Test func `the members of a finding stand in the order of the document`() throws {
        let json = try JSONValue(parsing: JSONWriter.bytes(of: bareFinding()))
        let required = try document.schema("Finding")["required"]?.items.compactMap(\.text)
        #expect(json.members.map(\.name) == required)
    }

    @Test func `public sightings and tombstones`() throws {
        try expectFits(record(try sighting(.record)), "PublicSighting")
        var full = record(try sighting(.record, isFull: true))
        try expectFits(full, "PublicSighting")
        let json = try JSONValue(parsing: JSONWriter.bytes(of: full))
        #expect(json["coordinatePrecision"] == .number(0.1) && json["recordedOn"] == .string("2026-05-01"))
        full = record(try sighting(.tombstone, isFull: true))
        try expectFits(full, "WithdrawalNotice")
        #expect(full.isComplete)
        let gone = record(try sighting(.gone))
        #expect(!gone.isComplete)
    }

    private func record(_ row: PublicSighting) -> PublicRecord {
        PublicRecord(
            row: row, taxon: row.taxon == nil ? nil : wren, observerName: "maria", notes: row.count == nil ? nil : "x",
            verbatimName: row.count == nil ? nil : "Wren", datasetTitle: row.dataset == nil ? nil : "BBS",
            photos: [])
    }

    private func sighting(_ kind: PublicSighting.Kind, isFull: Bool = false) throws -> PublicSighting {
        let date = try CivilDate("2026-05-01")
        let status: SightingStatus? = kind == .tombstone ? .withdrawn : kind == .gone ? nil : .acceptedBySource
        return PublicSighting(
            id: SightingID(id), kind: kind, change: nil, version: isFull ? 2 : nil, recordedAt: instant,
            submittedAt: isFull ? instant : nil, knownSince: 9, status: status,
            withdrawal: kind == .tombstone ? .mistake : nil, rejection: nil, observer: isFull ? ObserverID(id) : nil,
            dataset: isFull ? DatasetID(id) : nil, taxon: isFull ? wren.id : nil, qualifier: nil, sensitivity: nil,
            count: isFull ? 1 : nil, countRange: nil, confidence: isFull ? 1 : nil,
            observed: kind == .gone ? nil : try ObservationTime("2026"), observedFrom: nil, observedTo: nil,
            localFrom: date, localTo: date,
            coordinate: isFull ? try Coordinate(latitude: 47.05, longitude: -122.05) : nil,
            decimals: isFull ? 1 : nil, uncertainty: isFull ? 7872 : nil,
            state: isFull ? try StateCode("US-WA") : nil, region: isFull ? try RegionCode("pacific-northwest") : nil,
            country: isFull ? try CountryCode("US") : nil, captive: isFull ? true : nil, licence: isFull ? .by : nil,
            geoprivacy: nil, surveyProtocol: isFull ? .target : nil, showsContent: isFull)
    }

    @Test func `accounts and sessions`() throws {
        let settings = AccountSettings(
            licence: .by, geoprivacy: .private, attribution: .anonymous, language: .english, publicGallery: false)
        let account = AccountProfile(
            id: AccountID(id), observer: ObserverID(id), settings: settings, roles: [.admin, .birder], isVerified: true,
            suspension: Suspension(reason: .spam, until: instant), email: "wren@example.org", name: "Maria",
            displayName: "birder 4f2a", createdAt: instant.date, version: 1, position: 1)
        try expectFits(account, "Account")
        try expectFits(AdministeredAccount(account: account), "AdministeredAccount")
        try expectFits(Suspension(reason: nil, until: nil), "Suspension")
        let tokens = SessionTokens(
            accountID: account.id, sessionID: id, accessToken: "a", refreshToken: "b", expiresIn: 900)
        try expectFits(SessionAnswer(tokens: tokens, account: account), "Session")
        try expectFits(AccountRoles(account: account), "AccountRoles")
        let json = try JSONValue(parsing: JSONWriter.bytes(of: account))
        #expect(json["roles"] == .array([.string("birder"), .string("admin")]))
    }

    @Test func `histories`() throws {
        let entries = [
            HistoryEntry(
                kind: .corrected, version: 2, recorded: .on(instant.date()), by: "moderator 2",
                cause: .shown("mistake"), changes: [.init(field: "count", before: .integer(1), after: nil)]),
            HistoryEntry(
                kind: .submitted, version: nil, recorded: .on(nil), by: "owner", cause: .shown(nil), changes: []),
        ]
        try expectFits(WholeList(items: entries), "PublicHistory")
        let own = HistoryEntry(
            kind: .submitted, version: 1, recorded: .at(instant), by: "owner",
            cause: .known(name: nil, reasons: [], note: nil), changes: [])
        try expectFits(WholeList(items: [own]), "History")
        let judged = HistoryEntry(
            subject: .photo(PhotoID(id)), kind: .rejected, version: 2, recorded: .at(instant), by: "moderator",
            cause: .known(name: "heron", reasons: ["unreadable"], note: "too dark"), changes: [],
            origin: .init(account: id, command: nil))
        try expectFits(WholeList(items: [judged]), "History")
    }

    @Test func `results of a batch`() throws {
        let finding = JSONWriter.bytes(of: try fullFinding())
        let results = [
            BatchItemResult(key: id, outcome: .recorded(finding, version: 1), instance: "r"),
            BatchItemResult(
                key: nil,
                outcome: .rejected(
                    ProblemDetails(
                        .validationFailed,
                        errors: [
                            ProblemFault(.pointer("/count"), RuleViolation(.range, "must be 1"))
                        ])), instance: "r"),
        ]
        try expectFits(WholeList(items: results), "SightingBatchResult")
    }

    @Test func `taxa, regions, the log`() throws {
        let genus = TaxonEntry(
            id: TaxonID(id), rank: .genus, kind: .bird, parent: nil, scientificName: "Troglodytes", synonyms: [],
            commonNames: [], sensitivity: .four)
        let species = TaxonEntry(
            id: wren.id, rank: .species, kind: .bird, parent: genus.id, scientificName: wren.scientificName,
            synonyms: [], commonNames: [], sensitivity: nil)
        let names = TaxonNames([genus, species])
        try expectFits(Page(items: [FoundTaxon(taxon: wren, matchedName: "Nannus")], next: nil), "TaxonPage")
        let added = TaxonAdded(
            scientificName: try PublishedText("Troglodytes pacificus"), rank: .species, parent: genus.id, kind: .bird,
            authorship: try PublishedText("Baird, 1864"),
            names: [CommonName(language: .english, name: try PublishedText("Pacific Wren"))],
            synonyms: [try PublishedText("Nannus")])
        let taxon = WholeTaxon(
            summary: wren, taxon: try #require(TaxonState(replaying: [.added(added)]).taxon), names: names)
        try expectFits(taxon, "Taxon")
        let json = try JSONValue(parsing: JSONWriter.bytes(of: taxon))
        #expect(json["ancestors"]?.items.map { $0["scientificName"] } == [.string("Troglodytes")])
        #expect(json["sensitivity"] == .integer(4))
        let region = Region(
            code: try RegionCode("alaska"), name: "Alaska", zone: try ZoneName("America/Anchorage"),
            members: [try StateCode("US-AK")])
        try expectFits(WholeList(items: [NamedRegion(region: region, stateNames: [:])]), "RegionList")
        try expectFits(LogHead(recordedOn: instant.date()), "LogHead")
    }

    @Test func `maps, whose records add up`() throws {
        let point = MapAnswer.Point(
            id: SightingID(id), coordinate: try Coordinate(latitude: 47, longitude: -122.5), decimals: nil,
            uncertainty: nil, status: .pending, taxon: wren.id, count: nil,
            countRange: .few, observed: try ObservationTime("2026-05-01"))
        func map(_ answer: MapAnswer) -> FeatureCollection {
            FeatureCollection(answer: answer, names: TaxonSummaries(TaxonNames([])))
        }
        try expectFits(map(.points([point])), "SightingMap")
        let cells = map(
            .cells(
                [
                    .init(box: try BoundingBox("-125,45,-120,50"), records: 5, pending: 1),
                    .init(box: try BoundingBox("-120,45,-115,50"), records: 2, pending: 0),
                ], MapGrid(zoom: 2)))
        try expectFits(cells, "SightingMap")
        let json = try JSONValue(parsing: JSONWriter.bytes(of: cells))
        #expect(json["records"] == .integer(7) && json["cellDegrees"] == .number(5.625))
    }

    @Test(arguments: ProblemType.allCases)
    func `problems`(type: ProblemType) throws {
        let places: [ProblemFault.Place] = [.pointer("/a"), .parameter("b"), .header("C")]
        let problem = ProblemDetails(
            type, detail: "x", errors: places.map { ProblemFault($0, RuleViolation(.format, "must be so")) })
        for body in [problem.body(instance: "r"), ProblemDetails(type).body(instance: "r")] {
            let faults = try validator.faults(try JSONValue(parsing: body), try document.schema("Problem"))
            #expect(faults.isEmpty)
        }
    }

    @Test func `what the checker is for: it notices what does not fit`() throws {
        var members = try JSONValue(parsing: JSONWriter.bytes(of: bareFinding())).members
        let status = try #require(members.firstIndex { $0.name == "status" })
        members[status] = JSONMember("status", .string("lost"))
        let json = JSONValue.object(members)
        let schema = try document.schema("Finding")
        #expect(try validator.faults(json, schema) == ["/status is none of the words"])
        #expect(try !validator.faults(.object([]), schema).isEmpty)
        let extra = JSONValue.object(json.members + [JSONMember("extra", .null)])
        #expect(try validator.faults(extra, schema).contains("/extra is unknown"))
    }
}
