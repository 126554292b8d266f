import EventLog
import FoundationEssentials
import Postgres
import ReadModels
import TestSupport
import Testing

/// The named parts that the folds are made of, each on a few events.
struct FoldPartTests {
    private static let (observer, taxon) = (FixtureLog.number(1), FixtureLog.number(20))
    private static let (first, second) = (FixtureLog.number(60), FixtureLog.number(61))

    @Test func `lists of events are constants to the planner, and choose by description`() async throws {
        try await Self.run(.sightingsPublic, []) { connection in
            let plan = try await connection.query(
                "explain select from log.events where type = any (event_types('taxon', complete => true))")
            let text = try plan.rows.map { try $0.decode(0, as: String.self) }.joined()
            #expect(text.contains("'{TaxonAdded}'"), "\(text)")
            for (call, types) in [
                ("event_types('taxon')", ["TaxonAdded", "TaxonMoved", "TaxonSensitivitySet", "PayloadRedacted"]),
                ("event_types('sighting', status => 'withdrawn')", ["SightingWithdrawn"]),
                ("event_types('sighting', effect => 'either')", ["SightingWithdrawn"]),
                ("event_types('sighting', complete => true)", ["SightingSubmitted", "SightingImported"]),
                ("event_types('dataset')", []),
            ] {
                let found = try await connection.query(SQL(unsafeText: "select \(call) as types")).onlyRow()
                #expect(try found.decode("types", as: [String].self) == types, "\(call)")
            }
        }
    }

    @Test func `the events of a stream are found by its index, whatever the statistics say`() async throws {
        let streams = (0..<3_000).map { _ in UUID() }
        let events = streams.map { Sightings.submitted($0, by: Self.observer) }
        try await Self.run(.sightingsExact, events) { connection in
            let (stream, head) = (streams[7], Int64(events.count))
            let call: SQL = "select e.version from model.events_of(\(stream), 'sighting', \(head)) e"
            #expect(try await connection.query(call).count == 1)
            #expect(
                try await connection.query(
                    "select e.version from model.events_of(\(stream), 'taxon', \(head)) e"
                ).count == 0)
            for analysed in [false, true] {
                if analysed { _ = try await connection.query("analyze log.events") }
                _ = try await connection.query("set local enable_bitmapscan = off")
                let plan = try await connection.query("explain \(fragment: call)")
                let text = try plan.rows.map { try $0.decode(0, as: String.self) }.joined(separator: "\n")
                #expect(
                    text.contains("events_from_1_stream_version_idx") && !text.contains("events_from_1_pkey"), "\(text)"
                )
            }
        }
    }

    @Test
    func `all events of a sighting are found from both sides of the range, and what goes on is told from what begins`()
        async throws
    {
        let events = [
            Sightings.submitted(Self.first, by: Self.observer), Sightings.submitted(Self.second, by: Self.observer),
            Sightings.corrected(Self.first, ["count": 2]),
        ]
        try await Self.run(.sightingsExact, events) { connection in
            for after: Int64 in 0...3 {
                let found = try await connection.query(
                    "select e.position from events_of(\([Self.first]), \(after), 3) e order by 1")
                #expect(try found.rows.map { try $0.decode("position", as: Int64.self) } == [1, 3], "\(after)")
                let continued = try await connection.query(
                    "select c.stream from continued_streams(\(after), 3) c")
                #expect(
                    try continued.rows.map { try $0.decode("stream", as: UUID.self) }
                        == (after < 3 ? [Self.first] : []), "\(after)")
            }
        }
    }

    @Test func `an exact state has the status given last and knows when a later payload makes it whole again`()
        async throws
    {
        let dataset = FixtureLog.number(40)
        let events = [
            Sightings.imported(Self.first, into: dataset, batch: FixtureLog.number(41)),
            Sightings.withdrawn(Self.first, "vanished"),
            GeneratedEvent(
                Self.first, "sighting", "SightingCorrected", payload: #"{"redacted": {"reason": "place"}}"#),
            Sightings.imported(Self.first, into: dataset, batch: FixtureLog.number(42)),
        ]
        try await Self.run(.sightingsExact, events) { connection in
            let found = try await connection.query(
                """
                select s.status || ' ' || coalesce(s.redacted, false) as said
                  from states(\([Self.first]), 0, 4) s order by s.version
                """
            )
            #expect(
                try found.rows.map { try $0.decode("said", as: String.self) }
                    == [
                        "accepted-by-source false", "withdrawn false", "withdrawn true", "accepted-by-source false",
                    ])
        }
    }

    @Test func `a rise of a taxon's category stands between the events of a sighting identified as it`() async throws {
        let events = [
            Sightings.taxon(Self.taxon), Sightings.submitted(Self.first, by: Self.observer, taxon: Self.taxon),
            GeneratedEvent(Self.taxon, "taxon", "TaxonSensitivitySet", ["category": 2]),
            Sightings.withdrawn(Self.first, "privacy"),
        ]
        try await Self.run(.sightingsPublic, events, folding: true) { connection in
            let found = try await connection.query(
                """
                select concat_ws(' ', r.position, r.type, r.status, r.category, r.complete, r.gone) as said
                  from with_rises(\([Self.first]), 0, 4) r order by r.position
                """)
            #expect(
                try found.rows.map { try $0.decode("said", as: String.self) }
                    == ["2 SightingSubmitted pending 1", "3 2", "4 SightingWithdrawn withdrawn 1 2"])
            let states = try await connection.query(
                """
                select concat_ws(' ', s.position, s.status, s.category, s.knowledge, s.restricts) as said
                  from states(\([Self.first]), 0, 4) s order by s.position
                """)
            #expect(
                try states.rows.map { try $0.decode("said", as: String.self) }
                    == ["2 pending t f", "3 pending 2 t", "4 withdrawn 2 f t"])
        }
    }

    @Test func `geoprivacy counts as the narrowest since it was last set otherwise`() async throws {
        func geoprivacy(_ type: String, _ value: String) -> GeneratedEvent {
            GeneratedEvent(Self.first, "sighting", type, ["geoprivacy": .text(value)])
        }
        let events = [
            Sightings.submitted(Self.first, by: Self.observer, geoprivacy: "obscured"),
            geoprivacy("SightingGeoprivacyNarrowed", "private"), geoprivacy("SightingGeoprivacyWidened", "open"),
            Sightings.corrected(Self.first, ["count": 2]),
        ]
        try await Self.run(.sightingsPublic, events) { connection in
            let found = try await connection.query(
                "select s.narrowest, s.narrowed from states(\([Self.first]), 0, 4) s order by s.position")
            #expect(try found.rows.map { try $0.decode("narrowest", as: Int32.self) } == [1, 2, 0, 0])
            #expect(try found.rows.map { try $0.decode("narrowed", as: Bool.self) } == [false, true, false, false])
        }
    }

    @Test func `one event is enough for most sightings; the others are listed, and their rows can be forgotten`()
        async throws
    {
        let (third, fourth) = (FixtureLog.number(62), FixtureLog.number(63))
        let events = [
            Sightings.submitted(Self.first, by: Self.observer, sensitivity: 3),
            Sightings.submitted(Self.second, by: Self.observer, sensitivity: 2),
            GeneratedEvent(
                third, "sighting", "SightingSubmitted", payload: #"{"redacted": {"reason": "place"}}"#),
            Sightings.submitted(fourth, by: Self.observer), Sightings.corrected(fourth, ["count": 2]),
        ]
        try await Self.run(.sightingsPublic, events, folding: true) { connection in
            let short = try await connection.query(
                "select s.stream, s.status, s.is_enough from short_lives(\([fourth]), 0, 5) s order by s.position")
            #expect(
                try short.rows.map { try $0.decode("stream", as: UUID.self) } == [Self.first, Self.second, third])
            #expect(try short.rows.map { try $0.decode("is_enough", as: Bool.self) } == [true, false, false])
            #expect(try short.rows.first?.decode("status", as: String.self) == "pending")
            _ = try await connection.query("select forget(\([Self.second, fourth]))")
            let left = try await connection.query(
                """
                select distinct coalesce(o.stream, r.id) as id from records r left join origins o using (id) order by 1
                """
            )
            #expect(try left.rows.map { try $0.decode("id", as: UUID.self) } == [Self.first, third])
            #expect(try await connection.query("select from origins").count == 1)
        }
    }

    @Test func `names come from four members; a tombstone gives none`() async throws {
        try await Self.run(.taxa, []) { connection in
            for (type, payload, expected) in [
                (
                    "TaxonAdded", #"{"names": [{"language": "en", "name": "Wren"}], "synonyms": ["A", "B"]}"#,
                    ["1 f en Wren", "1 t A", "2 t B"]
                ),
                ("TaxonNamed", #"{"language": "fr", "name": "Roi"}"#, ["1 f fr Roi"]),
                ("TaxonSynonymAdded", #"{"name": "C"}"#, ["1 t C"]),
                ("TaxonSynonymAdded", #"{"redacted": {}}"#, []), ("TaxonMoved", #"{"name": "C"}"#, []),
            ] {
                let found = try await connection.query(
                    """
                    select concat_ws(' ', n.ordinal, n.synonym, n.language, n.name) as said
                      from names_said(\(type), \(payload)::text::jsonb) n order by 1
                    """)
                #expect(try found.rows.map { try $0.decode("said", as: String.self) } == expected, "\(type)")
            }
        }
    }

    /// Appends events, makes a model, and runs something under its search path.
    private static func run(
        _ model: ReadModel, _ events: [GeneratedEvent], folding: Bool = false,
        _ body: @Sendable (PostgresConnection) async throws -> Void
    ) async throws {
        try await ModelFixture.run { fixture in
            _ = try await fixture.owner.query("alter table log.events_from_1 set (autovacuum_enabled = off)")
            var writer = LogWriter(fixture.owner)
            try await writer.append(events)
            try await fixture.build(model, in: "trial")
            if folding { try await fixture.fold("trial", after: 0, upTo: writer.head) }
            _ = try await fixture.owner.query("begin")
            _ = try await fixture.owner.query("set local search_path = trial, pg_catalog, public")
            try await body(fixture.owner)
            _ = try await fixture.owner.query("rollback")
        }
    }
}
