import Domain
import EventLog
import FoundationEssentials
import Postgres
import ReadModels
import TestRandom
import TestSupport
import Testing

/// The values of rejected records, which lie beside their tombstones.
struct RejectedLawTests {
    private static let schema: SQL = "\(identifier: ReadModel.sightingsPublic.schema)"
    private static let (observer, moderator, taxon) = (
        FixtureLog.number(1), FixtureLog.number(2), FixtureLog.number(20)
    )

    /// The columns that a decision changes, and those of only one of the two tables.
    private static let others: SQL = """
        array['valid', 'shown', 'named', 'widened', 'change', 'version', 'recorded_at', 'status', 'reason', 'content',
              'seasonal', 'accepted', 'account', 'reasons']
        """

    @Test(arguments: RandomSource.seeds(3))
    func `a rejected record has the values that it had before, under the same id`(seed: UInt64) async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install([.sightingsPublic])
            try await fixture.write(seed: seed, steps: 400, reviewing: true)
            try await fixture.follow([.sightingsPublic])
            let compared = try await fixture.pool.query(
                """
                select (to_jsonb(r) - \(fragment: Self.others))::text as after,
                       (to_jsonb(b) - \(fragment: Self.others))::text as before
                  from \(fragment: Self.schema).rejected r
                  join \(fragment: Self.schema).records b
                    on b.id = r.id and b.kind = 'record' and upper(b.valid) = lower(r.valid) and b.shown && r.shown
                 where r.change = 'SightingRejected'
                """)
            for row in compared.rows {
                #expect(try row.decode("after", as: String.self) == row.decode("before", as: String.self))
            }
            #expect(!compared.rows.isEmpty || !RandomSource.isFixed(seed))
            try await Self.expectTombstones(fixture)
        }
    }

    /// Each rejected row lies at its tombstone, and each tombstone of such a rejection has one, unless the account is
    /// erased.
    private static func expectTombstones(_ fixture: ModelFixture) async throws {
        let found = try await fixture.pool.query(
            """
            with rejected as (
                select r.id, r.valid, r.shown, r.named, r.widened, r.guarded, r.change, r.version
                  from \(fragment: schema).rejected r
            ), expected as (
                select t.id, t.valid, t.shown, t.named, t.widened, t.guarded, t.change, t.version
                  from \(fragment: schema).records t
                  left join \(fragment: schema).origins i on i.id = t.id
                  join log.events e on e.stream = coalesce(i.stream, t.id) and e.version = 1
                  left join \(fragment: schema).observers o on o.account = (e.payload ->> 'observer')::uuid
                 where t.kind = 'tombstone' and t.status = 'rejected' and o.cause is distinct from 'erased'
            )
            select (select count(*) from (table rejected except all table expected) d)
                   + (select count(*) from (table expected except all table rejected) d) as differences
            """
        ).onlyRow()
        #expect(try found.decode("differences", as: Int64.self) == 0)
    }

    @Test(arguments: SightingReason.allCases)
    func `values are kept for reasons about the record alone`(reason: SightingReason) async throws {
        let sighting = FixtureLog.number(60)
        for reasons in [[reason], [.other, reason]] {
            let expected = reason == .other ? [] : [reasons.map(\.rawValue)]
            let events = [
                Sightings.submitted(sighting, by: Self.observer, taxon: Self.taxon),
                Self.rejected(sighting, reasons.map(\.rawValue)),
            ]
            try await Self.fold(events) { rows in
                let found = try rows.map { try $0.decode("reasons", as: [String].self) }
                #expect(found == expected)
            }
        }
    }

    @Test func `no values are kept of records of category 1, nor of withdrawn, redacted and erased ones`() async throws
    {
        let sighting = FixtureLog.number(60)
        let begun = [
            GeneratedEvent(
                Self.observer, "account", "AccountRegistered",
                ["observer": .id(FixtureLog.number(3)), "roles": .array(["birder"])]),
            Sightings.submitted(sighting, by: Self.observer, taxon: Self.taxon),
        ]
        let rejected = Self.rejected(sighting, ["wrong-place"])
        let present: SQL = "upper_inf(r.valid) and upper_inf(r.shown)"
        try await Self.fold(begun + [rejected], present) { #expect($0.count == 1) }
        let ends: [(GeneratedEvent, SQL)] = [
            (Sightings.withdrawn(sighting, "mistake"), present),
            (Sightings.withdrawn(sighting, "privacy"), "upper_inf(r.shown)"),
            (GeneratedEvent(Self.taxon, "taxon", "TaxonSensitivitySet", ["category": 1]), "upper_inf(r.shown)"),
            (GeneratedEvent(Self.observer, "account", "AccountErased", ["sightings": "keep"]), "true"),
            (GeneratedEvent(sighting, "sighting", "SightingReopened", ["moderator": .id(Self.moderator)]), present),
        ]
        for (event, condition) in ends {
            let events = [Sightings.taxon(Self.taxon)] + begun + [rejected, event]
            try await Self.fold(events, condition) { #expect($0.isEmpty, "\(event.type)") }
        }
        // The erasure comes first: nothing is written afterwards.
        let erased = GeneratedEvent(Self.observer, "account", "AccountErased", ["sightings": "keep"])
        try await Self.fold(begun + [erased, rejected]) { #expect($0.isEmpty) }
        // A guarded one has no observer, and is found by its account.
        let hidden = Sightings.submitted(
            FixtureLog.number(61), by: Self.observer, taxon: Self.taxon, geoprivacy: "private")
        let guarded = Self.rejected(FixtureLog.number(61), ["wrong-date"])
        try await Self.fold(begun + [hidden, guarded]) { rows in
            let row = try #require(rows.first)
            #expect(
                try row.decode("observer", as: UUID?.self) == nil && row.decode("latitude", as: Double?.self) == nil)
            #expect(try row.decode("observed", as: String.self) == "2026-05" && row.decode("guarded"))
        }
        try await Self.fold(begun + [hidden, guarded, erased]) { #expect($0.isEmpty) }
    }

    private static func rejected(_ sighting: UUID, _ reasons: [String]) -> GeneratedEvent {
        GeneratedEvent(
            sighting, "sighting", "SightingRejected",
            ["moderator": .id(moderator), "reasons": .array(reasons.map { .text($0) })])
    }

    /// Folds one event after the other, and compares with rebuilds.
    private static func fold(
        _ events: [GeneratedEvent], _ condition: SQL = "true", _ body: @Sendable ([PostgresRow]) throws -> Void
    ) async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install([.sightingsPublic])
            var writer = LogWriter(fixture.owner)
            for event in events {
                try await writer.append([event])
                try await fixture.follow([.sightingsPublic])
            }
            try body(
                try await fixture.pool.query(
                    """
                    select r.reasons, r.observer, r.latitude, r.observed, r.guarded from \(fragment: schema).rejected r
                     where \(fragment: condition)
                    """
                ).rows.map { $0 })
            try await assertRebuildsEqual(.sightingsPublic, fixture.pool, batches: [1, 2, .max])
        }
    }
}
