import EventLog
import Postgres
import ReadModels
import TestRandom
import TestSupport
import Testing

/// Most streams are one event, which becomes rows without being read back. Reading it back must give the same rows.
struct ShortLifeTests {
    /// A model that has both ways, and the call that makes the rows of streams from all their events.
    struct Way: Sendable, CustomTestStringConvertible {
        let model: ReadModel
        /// Its kinds of streams.
        let kinds: [String]
        let call: @Sendable (_ streams: [String: SQL], _ head: Int64) -> SQL

        var testDescription: String { model.name }
    }

    static let ways = [
        Way(model: .photos, kinds: ["photo"]) { "fold_streams(\(fragment: $0["photo"] ?? ""), \($1), \($1))" },
        Way(model: .moderation, kinds: ["sighting", "photo"]) {
            "fold_streams(\(fragment: $0["sighting"] ?? ""), \(fragment: $0["photo"] ?? ""), \($1), \($1))"
        },
        Way(model: .sightingsExact, kinds: ["sighting"]) {
            "fold_streams(\(fragment: $0["sighting"] ?? ""), \($1), \($1))"
        },
        Way(model: .sightingsPublic, kinds: ["sighting", "photo"]) {
            "fold_sightings(\(fragment: $0["sighting"] ?? ""), \(fragment: $0["photo"] ?? ""), \($1), \($1))"
        },
    ]

    @Test(arguments: ways, RandomSource.seeds(2))
    func `reading a stream's only event back changes no row`(way: Way, seed: UInt64) async throws {
        try await ModelFixture.run { fixture in
            try await fixture.write(seed: seed &+ 200, steps: 60, reviewing: true)
            try await fixture.expectSame(way)
            if RandomSource.isFixed(seed) { #expect(try await fixture.shortLives(way.kinds) > 5) }
        }
    }

    /// Streams that have only a first event: of every type that begins a stream, with every shape of its payload.
    @Test(arguments: ways)
    func `of every first event, too`(way: Way) async throws {
        try await ModelFixture.run { fixture in
            var writer = LogWriter(fixture.owner)
            for shape in ["all", "fewest", "redacted"] {
                let events = try FixtureLog.streams(first: shape, others: "all").compactMap(\.first)
                // What others name comes first.
                for kind in ["account", "taxon", "sighting", "photo"] {
                    try await writer.append(events.filter { $0.kind == kind })
                }
            }
            try await fixture.expectSame(way)
            #expect(try await fixture.shortLives(way.kinds) >= 3)
        }
    }
}

extension ModelFixture {
    /// Folds the log at once, makes all streams' rows again from all their events, and compares.
    fileprivate func expectSame(_ way: ShortLifeTests.Way) async throws {
        let head = try await LogOrigin.read(pool).position
        try await build(way.model, in: "trial")
        try await fold("trial", after: 0, upTo: head)
        let before = try await ModelDigest.of(way.model, in: "trial", pool)
        var streams: [String: SQL] = [:]
        for kind in way.kinds { streams[kind] = "array(select s.id from log.streams s where s.kind = \(kind))" }
        let call = way.call(streams, head)
        try await pool.transaction { connection in
            _ = try await connection.query("set local search_path = trial, pg_catalog, public")
            _ = try await connection.query("select \(fragment: call)")
        }
        #expect(try await ModelDigest.of(way.model, in: "trial", pool) == before, "\(way.model.name)")
    }

    /// How many streams of some kinds have one event.
    fileprivate func shortLives(_ kinds: [String]) async throws -> Int {
        try await pool.query("select from log.streams s where s.kind = any (\(kinds)) and s.version = 1").count
    }
}
