import Domain
import EventLog
import FoundationEssentials
import ReadModels
import TestRandom
import TestSupport
import Testing

struct FindingQueriesTests {
    private static let models: [ReadModel] = [.taxa, .sightingsExact, .sightingsPublic]

    @Test func `pages list every finding once newest first`() async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install(Self.models + [.moderation])
            let (mine, other) = (UUID(), UUID())
            var random = RandomSource(seed: 3)
            var writer = LogWriter(fixture.owner)
            let days = (0..<40).map { _ in "2026-0\(random.int(in: 1...3))-0\(random.int(in: 1...9))" }
            let events = days.map { Sightings.submitted(by: mine, day: $0) }
            try await writer.append(events + [Sightings.submitted(by: other)])
            try await writer.append([Sightings.withdrawn(events[7].stream, "mistake")])
            try await fixture.follow(Self.models)

            let queries = FindingQueries(fixture.pool)
            var listed: [ExactSighting] = []
            var page = FindingQueries.Page(limit: 7)
            repeat {
                let found = try await queries.findings(of: AccountID(mine), page).slice
                listed += found.items.map(\.sighting)
                page.after = found.next
            } while page.after != nil
            let expected = zip(days, events).filter { $0.1.stream != events[7].stream }
                .sorted { ($1.0, SightingID($0.1.stream)) < ($0.0, SightingID($1.1.stream)) }
            #expect(listed.map(\.id.uuid) == expected.map(\.1.stream))
            #expect(listed.allSatisfy { $0.observer == AccountID(mine) && $0.status == .pending })
        }
    }

    @Test func `findings are filtered by kind and whole interval`() async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install(Self.models + [.moderation])
            let (mine, bird, mammal) = (UUID(), UUID(), UUID())
            var writer = LogWriter(fixture.owner)
            let events = [
                Sightings.submitted(by: mine, taxon: bird, day: "2026-05-01"),
                Sightings.submitted(by: mine, taxon: mammal, day: "2026-05-02"),
                Sightings.submitted(by: mine, day: "2026-05-03"),
            ]
            try await writer.append(
                [Sightings.taxon(bird), Sightings.taxon(mammal, kind: "mammal")] + events
                    + [
                        Sightings.corrected(
                            events[2].stream,
                            [
                                "observed": [
                                    "value": "2026-05", "precision": "month", "zone": "UTC",
                                    "from": "2026-05-01T00:00:00Z", "to": "2026-06-01T00:00:00Z",
                                    "localFrom": "2026-05-01", "localTo": "2026-05-31",
                                ]
                            ])
                    ])
            try await fixture.follow(Self.models)

            let queries = FindingQueries(fixture.pool)
            func ids(_ page: FindingQueries.Page) async throws -> [UUID] {
                try await queries.findings(of: AccountID(mine), page).slice.items.map(\.sighting.id.uuid)
            }
            let streams = events.map(\.stream)
            let (first, second) = (try CivilDate("2026-05-01"), try CivilDate("2026-05-02"))
            #expect(try await ids(.init(limit: 9)) == [streams[2], streams[1], streams[0]])
            #expect(try await ids(.init(RecordFilter(kind: .bird), limit: 9)) == [streams[0]])
            #expect(try await ids(.init(RecordFilter(from: second), limit: 9)) == [streams[1]])
            #expect(try await ids(.init(RecordFilter(from: first, to: second), limit: 9)) == [streams[1], streams[0]])
        }
    }

    @Test func `a sightings states are read up to a position`() async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install(Self.models + [.moderation])
            var writer = LogWriter(fixture.owner)
            let event = Sightings.submitted(by: UUID())
            try await writer.append([event, Sightings.corrected(event.stream, ["count": 3])])
            try await writer.append([Sightings.withdrawn(event.stream, "privacy")])
            try await fixture.follow(Self.models)

            let (queries, id) = (FindingQueries(fixture.pool), SightingID(event.stream))
            #expect(try await queries.history(of: id, upTo: 1).map(\.details?.count?.value) == [nil])
            #expect(try await queries.history(of: id, upTo: 2).map(\.details?.count?.value) == [nil, 3])
            #expect(try await queries.history(of: id, upTo: 2).map(\.version) == [1, 2])
            #expect(try await queries.history(of: id).map(\.withdrawal) == [nil, nil, .privacy])
            #expect(try await queries.history(of: SightingID(UUID())).isEmpty)
        }
    }
}
