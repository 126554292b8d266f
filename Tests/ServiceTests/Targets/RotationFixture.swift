import Domain
import EventLog
import Foundation
import Logging
import NIOConcurrencyHelpers
import Postgres
import ReadModels
import TestSupport
import Vault

@testable import Imports
@testable import Service

/// A clock that tests set, in microseconds.
final class DrivenClock: Sendable {
    private let moment: NIOLockedValueBox<Instant>

    init(_ start: Instant) {
        moment = NIOLockedValueBox(start)
    }

    var now: Instant {
        get { moment.withLockedValue { $0 } }
        set { moment.withLockedValue { $0 = newValue } }
    }
}

/// The rotation over a log of its own, with 42 species of 14 families that can be seen everywhere; the clock is driven,
/// and the log's too where that is asked for.
struct RotationFixture: Sendable {
    let log: ImportFixture
    let clock: DrivenClock
    private let places: ReferencePlaces
    private let lists: TargetLists
    /// Those that targets are chosen from.
    var kinds = TargetTaxa.usualKinds

    static func run(
        at start: String, drivingLog drivesLog: Bool = false, _ body: @Sendable (RotationFixture) async throws -> Void
    ) async throws {
        let clock = DrivenClock(try Instant(start))
        let now: @Sendable () -> Date = { drivesLog ? clock.now.date : Date() }
        try await ImportFixture.run(models: ReadModel.all, now: now) { log in
            let fixture = RotationFixture(
                log: log, clock: clock, places: try ImportFixture.shippedPlaces.get(), lists: try lists(in: log))
            if drivesLog { try await fixture.driveLog() }
            _ = try await TaxaImport(log: log.log).run(try log.write("taxa.tsv", Self.taxa))
            try await fixture.follow()
            try await body(fixture)
        }
    }

    private static let names = (0..<42).map { "Familia\($0 / 3) species\($0 % 3)" }

    private static let taxa =
        ["scientificName\trank\tparent\tkind", "Aves\tclass\t\tbird"]
        + (0..<14).map { "Familia\($0)\tfamily\tAves\tbird" }
        + names.enumerated().map { "\($1)\tspecies\tFamilia\($0 / 3)\tbird" }

    private static func lists(in log: ImportFixture) throws -> TargetLists {
        let regions = try ImportFixture.shippedPlaces.get().regions.map(\.code.text).joined(separator: "|")
        let seasonal = ["scientificName\tregions\tmonths"] + names.map { "\($0)\t\(regions)\t1-12" }
        _ = try log.write("seasonal.tsv", seasonal)
        _ = try log.write("nest_disturbance.tsv", ["scientificName\tmonths"])
        _ = try log.write("neighbours.tsv", ["region\tneighbours", "alaska\thawaii", "hawaii\talaska"])
        return try TargetLists(folder: log.folder.path(percentEncoded: false))
    }

    /// Has the database take its time from the driven clock, which is moved by ``advance(by:)`` from now on.
    private func driveLog() async throws {
        try await log.database.withConnection(log.database.owner) { owner in
            try await owner.executeScript(
                """
                create table public.driven_clock as select '\(clock.now.text())'::timestamptz as at;
                grant select, update on public.driven_clock to skein_service;
                create or replace function log.clock() returns timestamptz language sql volatile as
                'select at from public.driven_clock';
                """)
        }
    }

    /// Moves the clock, and the log's with it.
    func advance(by seconds: Int) async throws {
        clock.now = clock.now.adding(seconds: seconds)
        _ = try await log.pool.query("update public.driven_clock set at = \(clock.now.text())::text::timestamptz")
    }

    /// The rotation as another process has it.
    func rotation() -> TargetRotation {
        let progress = ModelProgress()
        let writes = OwnWrites { 0 }
        let state = LogState(
            LogStart(epoch: 1, position: 0, key: [1]), reader: log.reader, head: HeadSignal(), progress: progress,
            writes: writes, now: { [clock] in clock.now })
        let store = StreamStore(reader: log.reader, appender: log.appender)
        return TargetRotation(
            store: store, log: state, queries: TargetQueries(log.pool),
            statistics: RegionStatistics(
                store: store, season: SeasonQueries(log.pool), taxa: TaxonQueries(log.pool), lists: lists,
                kinds: kinds),
            calendar: TargetCalendar(places: places, zones: SystemZoneRules(), now: { [clock] in clock.now }),
            signer: CommandSigner(key: [1]))
    }

    func service() -> RotationService {
        RotationService(rotation(), logger: .quiet)
    }

    /// Folds what is new into the models that the rotation reads.
    func follow() async throws {
        for model in [ReadModel.taxa, .targets, .sightingsPublic] {
            let version = Int32(model.version)
            _ = try await log.pool.transaction {
                try await $0.query("select * from model.advance(\(model.name), \(version), 1000000000)")
            }
        }
    }

    /// The events of all targets, in the order of the log.
    func events() async throws -> [(event: TargetsEvent, recorded: RecordedEvent)] {
        var found: [(TargetsEvent, RecordedEvent)] = []
        var position: Int64 = 0
        while true {
            let page = try await log.reader.page(after: position, limit: 5000)
            guard let last = page.last else { return found }
            for event in page where event.type.hasPrefix("Target") {
                found.append((try TargetsEvent(type: event.type, payload: Array(event.payload.utf8)), event))
            }
            position = last.position
        }
    }

    func choices() async throws -> [TargetsChosen] {
        try await events().compactMap { if case .chosen(let choice) = $0.event { choice } else { nil } }
    }
}
