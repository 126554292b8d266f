import Domain
import EventLog
import Foundation
import Logging
import Postgres
import TestSupport

@testable import Imports
@testable import Service

/// A log in a throw-away database with a few taxa, and a folder for generated files.
struct ImportFixture: Sendable {
    static let title = "Counts of a test"
    /// After every date in the files of the tests.
    static let now = Instant(microsecondsSince1970: 1_800_000_000_000_000)

    let database: TestDatabase
    let pool: PostgresPool
    let appender: Appender
    let log: ImportLog
    let reader: LogReader
    let folder: URL
    let names: TaxonNames
    let places: PlaceIndex

    /// Runs a test, with time limits that only a hang reaches. Without a checklist of its own it knows Aves,
    /// Troglodytidae, Troglodytes and two wrens.
    /// - Parameters:
    ///   - models: those that are installed.
    ///   - now: the clock of the process that appends.
    static func run<Value: Sendable>(
        names: TaxonNames = smallNames, models: [ReadModel] = [], now: @escaping @Sendable () -> Date = { Date() },
        _ body: @Sendable (ImportFixture) async throws -> Value
    ) async throws -> Value {
        try await withTestDatabase(models: models) { database in
            let logger = Logger(label: "imports") { _ in SwiftLogNoOpLogHandler() }
            let limits = AppendLimits { $0.timeout = Hang.deadline }
            let appender = Appender(
                configuration: database.service, limits: limits, head: HeadSignal(), logger: logger, now: now)
            let pool = PostgresPool(database.service, PostgresPoolConfiguration().unhurried, logger: logger)
            let folder = FileManager.default.temporaryDirectory.appending(path: "imports-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let log = ImportLog(pool: pool, appender: appender, signer: CommandSigner(key: [1, 2, 3]))
            let fixture = ImportFixture(
                database: database, pool: pool, appender: appender, log: log, reader: LogReader(pool), folder: folder,
                names: names, places: try shippedPlaces.get().index)
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await pool.run() }
                defer { group.cancelAll() }
                return try await appender.whileRunning { try await body(fixture) }
            }
        }
    }

    static let shippedPlaces = Result { try ReferencePlaces(folder: PackageRoot.path + "/share/places") }

    static let smallNames = TaxonNames(smallTaxa)

    static let smallTaxa: [TaxonEntry] = {
        func id(_ number: UInt8) -> TaxonID { TaxonID(UUID(bytes: [UInt8](repeating: number, count: 16))) }
        return [
            TaxonEntry(id: id(1), rank: .class, kind: .bird, scientificName: "Aves"),
            TaxonEntry(id: id(2), rank: .genus, kind: .bird, parent: id(1), scientificName: "Troglodytes"),
            TaxonEntry(
                id: id(3), rank: .species, kind: .bird, parent: id(2), scientificName: "Troglodytes pacificus",
                commonNames: [(.english, "Pacific Wren")], sensitivity: .four),
            TaxonEntry(
                id: id(4), rank: .species, kind: .bird, parent: id(2), scientificName: "Troglodytes hiemalis",
                commonNames: [(.english, "Winter Wren")]),
        ]
    }()

    /// Writes a file into the folder.
    func write(_ name: String, _ lines: [String]) throws -> String {
        let url = folder.appending(path: name)
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: url)
        return url.path(percentEncoded: false)
    }

    func importer(_ names: TaxonNames? = nil) -> OccurrenceImport {
        OccurrenceImport(log: log, names: names ?? self.names, places: places) { Self.now }
    }

    /// Imports a file of rows; `change` sets what is not the default.
    @discardableResult
    func importRows(
        _ file: String, names: TaxonNames? = nil, change: (inout OccurrenceImportRequest) -> Void = { _ in }
    ) async throws -> OccurrenceImportSummary {
        var request = OccurrenceImportRequest(file: file, dataset: try DatasetTitle(Self.title))
        change(&request)
        return try await importer(names).run(request)
    }
}

// MARK: - What is in the log

extension ImportFixture {
    func head() async throws -> Int64 {
        try await reader.origin().position
    }

    /// All events but the fields that differ between equal runs, by stream.
    func history() async throws -> [UUID: [String]] {
        var streams: [UUID: [String]] = [:]
        var position: Int64 = 0
        while true {
            let page = try await reader.page(after: position, limit: 5000)
            guard let last = page.last else { return streams }
            for event in page { streams[event.stream, default: []].append("\(event.type) \(event.payload)") }
            position = last.position
        }
    }

    /// The present state of the sightings.
    func sightings() async throws -> [UUID: SightingState] {
        var states: [UUID: SightingState] = [:]
        var position: Int64 = 0
        while true {
            let page = try await reader.page(after: position, limit: 5000)
            guard let last = page.last else { return states }
            for event in page where event.type.hasPrefix("Sighting") {
                states[event.stream, default: SightingState()].evolve(
                    try SightingEvent(type: event.type, payload: Array(event.payload.utf8)))
            }
            position = last.position
        }
    }

    /// Records that are not withdrawn.
    func standing() async throws -> [SightingRecord] {
        try await sightings().values.filter { $0.status != .withdrawn }.compactMap(\.record)
    }

    /// A moderator's decision on a record.
    func judge(_ stream: UUID, _ decision: ReviewDecision) async throws {
        let moderator = AccountID(UUID())
        let identity = log.signer.identity(
            account: moderator.uuid, command: "JudgeSighting", target: stream, key: UUID(), request: .empty,
            actor: moderator.uuid)
        let judgement = JudgeSighting(
            moderator: moderator, decision: decision, reasons: decision == .reject ? [.wrongPlace] : [],
            judgedAt: Self.now)
        let _: Outcome<SightingState> = try await log.store.change(stream, ifVersions: nil, identity) {
            try SightingDecider.decide(.judge(judgement), $0.state)
        }
    }

    /// The streams by the ids of their rows.
    func streams() async throws -> [String: UUID] {
        let rows = try await pool.query(
            "select distinct value::jsonb ->> 'occurrenceID' as id, stream from vault.content where field = 'record'")
        return Dictionary(
            uniqueKeysWithValues: try rows.rows.map { (try $0.decode("id"), try $0.decode("stream")) })
    }

    /// The rows beside the log.
    func records() async throws -> [String] {
        try await pool.query("select value from vault.content where field = 'record' order by position")
            .rows.map { try $0.decode("value") }
    }

    /// The number of import tables left.
    func stagingTables() async throws -> Int64 {
        try await pool.query("select count(*) as n from pg_tables where schemaname = 'import_staging'")
            .onlyRow().decode("n")
    }
}

/// A wren's row with one thing after another that may be otherwise.
struct WrenRow {
    static let header = [
        "occurrenceID", "scientificName", "eventDate", "individualCount", "decimalLatitude", "decimalLongitude",
        "license", "occurrenceStatus", "establishmentMeans", "basisOfRecord", "site",
    ].joined(separator: ",")

    var id = "w1"
    var name = "Troglodytes pacificus"
    var date = "2019-05-04"
    var count = "3"
    var latitude = "45.5"
    var longitude = "-122.6"
    var licence = ""
    var status = ""
    var means = ""
    var basis = "HumanObservation"
    var site = "north"

    var line: String {
        [id, name, date, count, latitude, longitude, licence, status, means, basis, site].joined(separator: ",")
    }

    static func file(_ rows: [WrenRow]) -> [String] { [header] + rows.map(\.line) }

    /// So many rows with ids and counts of their own.
    static func many(_ count: Int) -> [WrenRow] {
        (0..<count).map { WrenRow(id: "w\($0)", count: String($0 % 50 + 1)) }
    }
}
