import Domain
import EventLog
import FoundationEssentials
import Postgres
import ReadModels
import TestSupport
import Testing

/// Folding the erasure of an account ends as a rebuild does, and writes only the rows of that account.
struct ErasureFoldTests {
    private static let (leaver, other) = (FixtureLog.number(1), FixtureLog.number(2))

    @Test func `only the rows of that account are written, those of earlier versions included`() async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install(ReadModel.all)
            var writer = LogWriter(fixture.owner)
            try await writer.append([Self.account(Self.leaver), Self.account(Self.other)])
            var sightings: [UUID] = []
            for number in 0..<40 {
                let event = Self.submitted(by: number < 7 ? Self.leaver : Self.other)
                sightings.append(event.stream)
                try await writer.append([
                    event, Sightings.corrected(event.stream, ["count": 3]),
                    Sightings.imported(into: FixtureLog.number(40), batch: FixtureLog.number(41)),
                ])
            }
            // A withdrawn one, too, which no list of findings has.
            try await writer.append([Sightings.withdrawn(sightings[6], "mistake")])
            try await fixture.follow(ReadModel.all)
            let snapshot = try await fixture.snapshot()
            try await writer.append([Self.erased(Self.leaver)])
            try await fixture.follow(ReadModel.all)
            #expect(try await fixture.written("sightings", of: .sightingsExact, since: snapshot) == 7 * 2 + 1)
            // Two knowledge segments of each; the notice has no observer.
            #expect(try await fixture.written("records", of: .sightingsPublic, since: snapshot) == 7 * 2)
            try await fixture.assertForgotten(Self.leaver, known: 33)
            // What happens later to a sighting that stays does not bring them back.
            try await writer.append([Sightings.corrected(sightings[0], ["count": 4])])
            try await fixture.follow(ReadModel.all)
            try await fixture.assertForgotten(Self.leaver, known: 33)
            for model in ReadModel.all { try await assertRebuildsEqual(model, fixture.pool, batches: [1, 7, .max]) }
        }
    }

    private static func submitted(by account: UUID) -> GeneratedEvent {
        let event = Sightings.submitted(by: account)
        let visit: JSONText = .object(["id": .id(FixtureLog.number(60)), "startedAt": "2026-05-01T07:00:00Z"])
        let payload = String(event.payload.dropLast()) + #","visit":\#(visit.text)}"#
        return GeneratedEvent(event.stream, event.kind, event.type, payload: payload)
    }

    private static func account(_ id: UUID) -> GeneratedEvent {
        GeneratedEvent(id, "account", "AccountRegistered", ["observer": .id(UUID()), "roles": .array(["birder"])])
    }

    private static func erased(_ id: UUID) -> GeneratedEvent {
        GeneratedEvent(id, "account", "AccountErased", ["sightings": "keep"])
    }
}

extension ModelFixture {
    fileprivate func snapshot() async throws -> String {
        try await pool.query("select pg_current_snapshot()::text as snapshot").onlyRow().decode("snapshot")
    }

    /// The rows of a table that were written since.
    fileprivate func written(_ table: String, of model: ReadModel, since snapshot: String) async throws -> Int64 {
        try await pool.query(
            """
            select count(*) as written from \(identifier: model.schema).\(identifier: table) r
             where r.xmin::text::bigint >= pg_snapshot_xmax(\(snapshot)::text::pg_snapshot)::text::bigint
            """
        ).onlyRow().decode("written")
    }

    /// - Parameter known: the sightings of other accounts.
    fileprivate func assertForgotten(_ account: UUID, known: Int64) async throws {
        let exact = try await pool.query(
            """
            select count(*) filter (where observer = \(account)) as own,
                   count(distinct id) filter (where observer is not null and visit is not null) as others,
                   count(*) filter (where (observer is null) <> (visit is null)) as halves
              from \(identifier: ReadModel.sightingsExact.schema).sightings where dataset is null
            """
        ).onlyRow()
        #expect(try exact.decode("own", as: Int64.self) == 0 && exact.decode("halves", as: Int64.self) == 0)
        #expect(try exact.decode("others", as: Int64.self) == known)
        let observers = try await pool.query(
            """
            select count(distinct id) as records from \(identifier: ReadModel.sightingsPublic.schema).records
             where observer is not null
            """
        ).onlyRow()
        #expect(try observers.decode("records", as: Int64.self) == known)
    }
}
