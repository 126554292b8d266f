import Domain
import EventLog
import FoundationEssentials
import Postgres
import ReadModels
import TestRandom
import TestSupport
import Testing

/// Folding the redaction of an account's or a taxon's event ends as a rebuild does, and writes only the rows that the
/// event changes.
struct RedactionFoldTests {
    private static let (observer, other) = (FixtureLog.number(1), FixtureLog.number(2))
    private static let (genus, rare, common) = (FixtureLog.number(20), FixtureLog.number(21), FixtureLog.number(22))

    @Test func `an account's redaction writes the records of that account only`() async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install(ReadModel.all)
            var writer = LogWriter(fixture.owner)
            try await writer.append([Self.account(Self.observer), Self.account(Self.other)])
            for number in 0..<40 {
                try await writer.append([
                    Sightings.submitted(by: number < 7 ? Self.observer : Self.other),
                    Sightings.imported(into: FixtureLog.number(40), batch: FixtureLog.number(41)),
                ])
            }
            #expect(try await fixture.rewritten(redacting: 1) == 7)
            let observers = try await fixture.pool.query(
                """
                select count(*) filter (where observer is not null) as known, count(*) as records
                  from \(identifier: ReadModel.sightingsPublic.schema).records
                """
            ).onlyRow()
            #expect(try observers.decode("known", as: Int64.self) == 33)
            #expect(try observers.decode("records", as: Int64.self) == 80)
            try await fixture.assertRebuilt()
        }
    }

    @Test func `changes tell nothing of an account whose registration is redacted`() async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install(ReadModel.all)
            var writer = LogWriter(fixture.owner)
            let change: [String: JSONText] = ["state": "US-OR", "licence": "CC0-1.0", "language": "fr"]
            try await writer.append([
                Self.account(Self.observer), GeneratedEvent(Self.observer, "account", "AccountChanged", change),
            ])
            #expect(try await fixture.rewritten(redacting: 1) == 0)
            let known = try await fixture.pool.query(
                """
                select num_nonnulls(state, region, licence, geoprivacy, language) as settings
                  from \(identifier: ReadModel.accounts.schema).accounts
                """
            ).onlyRow()
            #expect(try known.decode("settings", as: Int32.self) == 0)
            try await fixture.assertRebuilt()
        }
    }

    @Test func `a redacted rejection keeps its notification and loses its reasons`() async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install(ReadModel.all)
            var writer = LogWriter(fixture.owner)
            let sighting = Sightings.submitted(by: Self.observer)
            let rejected: [String: JSONText] = [
                "moderator": .id(Self.other), "reasons": .array(["wrong-date"]), "content": .array([]),
            ]
            try await writer.append([
                sighting, GeneratedEvent(sighting.stream, "sighting", "SightingRejected", rejected),
                GeneratedEvent(sighting.stream, "sighting", "SightingApproved", ["moderator": .id(Self.other)]),
            ])
            _ = try await fixture.rewritten(redacting: 2)
            let list = try await fixture.pool.query(
                """
                select string_agg(position || kind || cardinality(reasons), ' ' order by position) as list
                  from \(identifier: ReadModel.moderation.schema).notifications
                """
            ).onlyRow()
            #expect(try list.decode("list", as: String.self) == "2rejected0 3approved0")
            try await fixture.assertRebuilt()
        }
    }

    /// What the payload said of the review or the order of photos is lost; the sighting and its photo are not.
    @Test func `a redacted flag, question or order takes nothing from its sighting`() async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install(ReadModel.all)
            var writer = LogWriter(fixture.owner)
            var reviews = RandomReviews(random: RandomSource(seed: 1))
            let sighting = Sightings.submitted(by: Self.observer)
            let photo = reviews.upload(FixtureLog.number(50), to: sighting.stream, by: Self.observer, ordinal: 1)
            let judged: [String: JSONText] = ["moderator": .id(Self.other), "content": .array([])]
            try await writer.append([
                Self.account(Self.observer), sighting, photo,
                GeneratedEvent(sighting.stream, "sighting", "SightingApproved", judged),
                GeneratedEvent(photo.stream, "photo", "PhotoApproved", judged),
            ])
            let asides = [
                "SightingFlagged", "SightingQuestionAsked", "SightingAnswered", "SightingAppealed",
                "SightingSecondOpinionAsked", "SightingPhotosOrdered",
            ]
            let more =
                asides.map { GeneratedEvent(sighting.stream, "sighting", $0, judged) }
                + ["PhotoFlagged", "PhotoDescribed", "PhotoRendered"].map {
                    GeneratedEvent(photo.stream, "photo", $0, judged)
                }
            for event in more {
                try await writer.append([event])
                _ = try await fixture.rewritten(redacting: writer.head)
                writer.redacted(event.stream)
            }
            let states = try await FindingQueries(fixture.pool).history(of: SightingID(sighting.stream))
            #expect(states.last?.status == .approved)
            #expect(try await PhotoQueries(fixture.pool).all(after: nil, limit: 9).map(\.id.uuid) == [photo.stream])
            let items = try await fixture.pool.query(
                """
                select string_agg(subject || ' ' || status, ', ' order by subject) as list
                  from \(identifier: ReadModel.moderation.schema).items
                """
            ).onlyRow()
            #expect(try items.decode("list", as: String.self) == "photo approved, sighting approved")
            let shown = try await fixture.pool.query(
                """
                select count(*) as photos from \(identifier: ReadModel.sightingsPublic.schema).photos
                 where upper_inf(valid) and upper_inf(shown)
                """
            ).onlyRow()
            #expect(try shown.decode("photos", as: Int64.self) == 1)
            try await fixture.assertStatesKnow([sighting.stream, photo.stream])
            try await fixture.assertRebuilt()
        }
    }

    /// The category lifted records into category 1, which has none: they come back.
    @Test func `a category's redaction writes the records of the taxa that it restricted only`() async throws {
        for category in [1, 2, 3] {
            try await ModelFixture.run { fixture in
                try await fixture.install(ReadModel.all)
                var writer = LogWriter(fixture.owner)
                try await writer.append(Self.taxa + [Self.account(Self.observer)])
                try await writer.append(Self.sightings)
                try await writer.append([Self.category(Self.rare, category)])
                let restricted = writer.head
                try await writer.append(Self.sightings)
                let rewritten = try await fixture.rewritten(redacting: restricted)
                // Ten sightings; those that have an id of their own again leave notices under their former ones.
                #expect((10...20).contains(rewritten), "category \(category): \(rewritten)")
                let left = try await fixture.pool.query(
                    """
                    select count(*) as records from \(identifier: ReadModel.sightingsPublic.schema).records
                     where kind = 'record' and upper_inf(valid) and upper_inf(shown) and sensitivity is null
                    """
                ).onlyRow()
                #expect(try left.decode("records", as: Int64.self) == 50)
                try await fixture.assertRebuilt()
            }
        }
    }

    @Test func `a taxon's redaction writes the records of restricted taxa below it only`() async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install(ReadModel.all)
            var writer = LogWriter(fixture.owner)
            try await writer.append(Self.taxa + [Self.account(Self.observer), Self.category(Self.genus, 3)])
            try await writer.append([GeneratedEvent(Self.common, "taxon", "TaxonMoved", ["parent": .null])])
            try await writer.append(Self.sightings)
            // `rare` was put below `genus` by its second event.
            #expect((5...10).contains(try await fixture.rewritten(redacting: 2)))
            try await fixture.assertRebuilt()
            // Nothing is below `common`, and it is restricted no more.
            #expect(try await fixture.rewritten(redacting: writer.head - 25) <= 20)
            try await fixture.assertRebuilt()
        }
    }

    @Test func `a taxon's redaction reaches the records of restricted taxa further below it`() async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install(ReadModel.all)
            var writer = LogWriter(fixture.owner)
            let order = FixtureLog.number(23)
            try await writer.append([
                Sightings.taxon(order), Sightings.taxon(Self.genus, parent: order),
                Sightings.taxon(Self.rare, parent: Self.genus), Sightings.taxon(Self.common, parent: order),
                Self.account(Self.observer), Self.category(order, 3),
            ])
            try await writer.append(Self.sightings)
            // Without its first event the genus, and `rare` in it, is below no order.
            #expect((5...10).contains(try await fixture.rewritten(redacting: 2)))
            try await fixture.assertRebuilt()
        }
    }

    @Test(arguments: RandomSource.seeds(4))
    func `redactions of accounts and taxa, in any order, end as a rebuild does`(seed: UInt64) async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install([.sightingsPublic])
            var random = RandomSource(seed: seed)
            try await fixture.write(seed: seed &+ 500, steps: 50, redacting: false) { _ in
                if random.isTrue(oneIn: 5) { try await fixture.follow([.sightingsPublic]) }
            }
            let targets = try await fixture.owner.query(
                """
                select position from log.events
                 where type in ('AccountRegistered', 'TaxonAdded', 'TaxonMoved', 'TaxonSensitivitySet')
                """)
            let positions = try targets.rows.map { try $0.decode("position", as: Int64.self) }
            for position in positions.shuffled(using: &random).prefix(12) {
                _ = try await Redaction.redact(position: position, reason: "legal", fixture.owner)
                if random.isTrue(oneIn: 2) { try await fixture.follow([.sightingsPublic]) }
                if random.isTrue(oneIn: 4) { try await assertFollowed(fixture) }
            }
            try await assertFollowed(fixture)
        }
    }

    private func assertFollowed(_ fixture: ModelFixture) async throws {
        try await fixture.follow([.sightingsPublic])
        try await assertRebuildsEqual(.sightingsPublic, fixture.pool, batches: [.max])
    }

    private static let taxa = [
        Sightings.taxon(genus), Sightings.taxon(rare, parent: genus), Sightings.taxon(common, parent: genus),
    ]

    private static var sightings: [GeneratedEvent] {
        (0..<25).map { Sightings.submitted(by: observer, taxon: $0 < 5 ? rare : common) }
    }

    private static func account(_ id: UUID) -> GeneratedEvent {
        GeneratedEvent(id, "account", "AccountRegistered", ["observer": .id(UUID()), "roles": .array([])])
    }

    private static func category(_ taxon: UUID, _ category: Int) -> GeneratedEvent {
        GeneratedEvent(taxon, "taxon", "TaxonSensitivitySet", ["category": .number(category), "reason": "nests"])
    }
}

extension ModelFixture {
    /// Redacts an event and folds that.
    /// - Returns: how many public records the fold wrote.
    fileprivate func rewritten(redacting position: Int64) async throws -> Int64 {
        try await follow(ReadModel.all)
        _ = try await Redaction.redact(position: position, reason: "legal", owner)
        let before = try await pool.query("select pg_current_snapshot()::text as snapshot").onlyRow()
        let snapshot: String = try before.decode("snapshot")
        try await follow(ReadModel.all)
        return try await pool.query(
            """
            select count(*) as written from \(identifier: ReadModel.sightingsPublic.schema).records r
             where r.xmin::text::bigint >= pg_snapshot_xmax(\(snapshot)::text::pg_snapshot)::text::bigint
            """
        ).onlyRow().decode("written")
    }

    /// The domain's states of a sighting and a photo are not redacted by what followed their first events.
    fileprivate func assertStatesKnow(_ streams: [UUID]) async throws {
        var (sighting, photo) = (SightingState(), PhotoState())
        for event in try await events() where streams.contains(event.stream) && event.version > 1 {
            let payload = Array(event.payload.utf8)
            if event.stream == streams[0] {
                sighting.evolve(try SightingEvent(type: event.type, payload: payload))
            } else {
                photo.evolve(try PhotoEvent(type: event.type, payload: payload))
            }
        }
        #expect(!sighting.isRedacted && sighting.status == .approved)
        #expect(!photo.isRedacted && photo.status == .approved)
    }

    fileprivate func assertRebuilt() async throws {
        for model in ReadModel.all { try await assertRebuildsEqual(model, pool, batches: [.max]) }
    }
}
