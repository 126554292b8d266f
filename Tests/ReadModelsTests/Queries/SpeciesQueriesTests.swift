import Domain
import EventLog
import FoundationEssentials
import ReadModels
import TestRandom
import TestSupport
import Testing

struct SpeciesQueriesTests {
    private static let models: [ReadModel] = [.taxa, .sightingsExact]
    private let observer = UUID()
    private let wren = UUID()
    private let westernWren = UUID()
    private let genus = UUID()
    private let fox = UUID()

    private var taxa: [GeneratedEvent] {
        [
            Sightings.taxon(genus, rank: "genus"), Sightings.taxon(wren, parent: genus),
            Sightings.taxon(westernWren, parent: wren, rank: "subspecies"), Sightings.taxon(fox, kind: "mammal"),
        ]
    }

    private func finding(
        _ taxon: UUID?, _ day: String = "2025-06-01", by observer: UUID? = nil, region: String? = "alaska"
    ) -> GeneratedEvent {
        Sightings.submitted(by: observer ?? self.observer, taxon: taxon, day: day, region: region)
    }

    private func decided(_ event: GeneratedEvent, _ type: String) -> GeneratedEvent {
        GeneratedEvent(event.stream, "sighting", type, ["moderator": .id(UUID()), "reasons": .array(["other"])])
    }

    /// A month, which no day is.
    private func month(of event: GeneratedEvent, _ month: String, last: String, end: String) -> GeneratedEvent {
        Sightings.corrected(
            event.stream,
            [
                "observed": [
                    "value": .text(month), "precision": "month", "zone": "UTC", "from": .text("\(month)-01T00:00:00Z"),
                    "to": .text("\(end)T00:00:00Z"), "localFrom": .text("\(month)-01"), "localTo": .text(last),
                ]
            ])
    }

    private func list(
        _ events: [GeneratedEvent], _ page: SpeciesQueries.Page = .init(limit: 99)
    ) async throws -> (slice: Slice<ListedSpecies, MomentKey>, total: Int) {
        try await ModelFixture.run { fixture in
            try await fixture.install(Self.models)
            var writer = LogWriter(fixture.owner)
            try await writer.append(taxa + events)
            try await fixture.follow(Self.models)
            return try await SpeciesQueries(fixture.pool).species(of: AccountID(observer), page)
        }
    }

    @Test func `a species is listed once, with what is below it, its first and its last finding`() async throws {
        let (middle, first, last) = (
            finding(wren, "2025-06-02"), finding(westernWren, "2025-06-01"), finding(wren, "2025-06-03")
        )
        let (species, total) = try await list([
            middle, first, last, decided(middle, "SightingApproved"), finding(fox, "2025-05-01"),
        ])
        #expect(total == 2 && species.items.map(\.species.uuid) == [wren, fox])
        let listed = try #require(species.items.first)
        #expect(listed.findings == 3 && listed.approved == 1)
        #expect(listed.first.id.uuid == first.stream && listed.last.id.uuid == last.stream)
        #expect(listed.first.observed.description == "2025-06-01" && listed.last.observed.description == "2025-06-03")
        #expect(listed.first.status == .pending)
    }

    @Test func `higher taxa, uncertain, captive, rejected and withdrawn findings do not count`() async throws {
        let events = (0..<5).map { _ in finding(wren) }
        let (species, total) = try await list(
            events + [
                finding(genus), finding(nil), finding(UUID()), finding(wren, by: UUID()),
                Sightings.corrected(events[0].stream, ["captive": true]),
                Sightings.corrected(events[1].stream, ["qualifier": "cf"]),
                Sightings.corrected(events[2].stream, ["qualifier": "aff"]),
                decided(events[3], "SightingRejected"), Sightings.withdrawn(events[4].stream, "mistake"),
            ])
        #expect(species.items.isEmpty && total == 0)
        // A cross between subspecies is of the species.
        let hybrid = finding(wren)
        let counted = try await list([hybrid, Sightings.corrected(hybrid.stream, ["qualifier": "hybrid"])])
        #expect(counted.slice.items.map(\.findings) == [1])
    }

    @Test func `lists of a year, a region and a kind`() async throws {
        let (early, late, across) = (
            finding(wren, "2024-12-31"), finding(wren, "2025-12-31", region: "hawaii"), finding(fox, "2025-01-01")
        )
        let events = [early, late, across]
        func listed(_ page: SpeciesQueries.Page) async throws -> [UUID] {
            let (slice, total) = try await list(events, page)
            #expect(total == slice.items.count && slice.next == nil)
            return slice.items.map(\.species.uuid)
        }
        #expect(try await listed(.init(year: 2024, limit: 9)) == [wren])
        #expect(try await listed(.init(year: 2025, limit: 9)) == [wren, fox])
        #expect(try await listed(.init(year: 2026, limit: 9)) == [])
        let hawaii = RecordFilter(region: RegionCode(unchecked: "hawaii"))
        #expect(try await listed(.init(hawaii, limit: 9)) == [wren])
        #expect(try await listed(.init(RecordFilter(kind: .mammal), limit: 9)) == [fox])
        #expect(try await listed(.init(RecordFilter(kind: .mammal), year: 2024, limit: 9)) == [])
    }

    @Test func `a month counts for its year, and is known less well than its days`() async throws {
        let (vague, exact) = (finding(wren, "2025-12-20"), finding(wren, "2025-12-10"))
        let events = [vague, exact, month(of: vague, "2025-12", last: "2025-12-31", end: "2026-01-01")]
        let species = try await list(events, .init(year: 2025, limit: 9)).slice.items
        let listed = try #require(species.first)
        #expect(listed.findings == 2)
        #expect(listed.first.id.uuid == exact.stream && listed.last.id.uuid == exact.stream)
    }

    @Test func `pages list every species once, whatever the history`() async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install(Self.models)
            var random = RandomSource(seed: 11)
            var writer = LogWriter(fixture.owner)
            let species = (0..<30).map { _ in UUID() }
            let below = species.map { ($0, UUID()) }
            var events = species.map { Sightings.taxon($0, parent: genus) }
            events += below.map { Sightings.taxon($0.1, parent: $0.0, rank: "subspecies") }
            var expected: [UUID: [(day: String, id: UUID)]] = [:]
            for _ in 0..<300 {
                let (parent, child) = below[random.int(in: 0...29)]
                let day = "202\(random.int(in: 0...5))-0\(random.int(in: 1...9))-1\(random.int(in: 0...9))"
                let found = finding(random.isTrue(oneIn: 3) ? child : parent, day)
                events.append(found)
                expected[parent, default: []].append((day, found.stream))
            }
            try await writer.append([Sightings.taxon(genus, rank: "genus")] + events)
            try await fixture.follow(Self.models)
            let queries = SpeciesQueries(fixture.pool)
            var (listed, page): ([ListedSpecies], SpeciesQueries.Page) = ([], .init(limit: 7))
            repeat {
                let found = try await queries.species(of: AccountID(observer), page)
                #expect(found.total == expected.count)
                listed += found.slice.items
                page.after = found.slice.next
            } while page.after != nil
            let firsts = expected.mapValues { $0.map(\.day).min() ?? "" }
            let order = expected.keys.sorted {
                (firsts[$1] ?? "", TaxonID($0)) < (firsts[$0] ?? "", TaxonID($1))
            }
            #expect(listed.map(\.species.uuid) == order)
            for species in listed {
                let found = try #require(expected[species.species.uuid])
                #expect(species.findings == found.count)
                #expect(species.first.observed.description == found.map(\.day).min())
                #expect(species.last.observed.description == found.map(\.day).max())
                #expect(found.contains { $0.id == species.first.id.uuid && $0.day == found.map(\.day).min() })
            }
        }
    }
}
