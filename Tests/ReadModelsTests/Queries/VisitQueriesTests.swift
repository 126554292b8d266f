import Domain
import EventLog
import FoundationEssentials
import ReadModels
import TestSupport
import Testing

struct VisitQueriesTests {
    private static let models: [ReadModel] = [.taxa, .sightingsExact, .sightingsPublic]
    private let observer = UUID()
    private let wren = UUID()
    private let westernWren = UUID()

    private var taxa: [GeneratedEvent] {
        [Sightings.taxon(wren), Sightings.taxon(westernWren, parent: wren, rank: "subspecies")]
    }

    private func visit(_ id: UUID, at start: String = "2025-06-01T07:00:00Z", minutes: Int? = nil) -> JSONText {
        var members: [String: JSONText] = ["id": .id(id), "startedAt": .text(start)]
        if let minutes { members["minutes"] = .number(minutes) }
        return .object(members)
    }

    /// A finding of an outing.
    private func finding(
        _ visit: JSONText, taxon: UUID? = nil, day: String = "2025-06-01", by other: UUID? = nil
    ) -> GeneratedEvent {
        Sightings.submitted(by: other ?? observer, taxon: taxon, day: day, visit: visit)
    }

    private func read<Value: Sendable>(
        _ events: [GeneratedEvent], _ body: @Sendable (ModelFixture) async throws -> Value
    ) async throws -> Value {
        try await ModelFixture.run { fixture in
            try await fixture.install(Self.models + [.moderation])
            var writer = LogWriter(fixture.owner)
            try await writer.append(taxa + events)
            try await fixture.follow(Self.models)
            return try await body(fixture)
        }
    }

    private func visits(
        _ events: [GeneratedEvent], limit: Int = 99
    ) async throws -> Slice<ListedVisit, MomentKey> {
        try await read(events) {
            try await VisitQueries($0.pool).visits(of: AccountID(observer), .init(limit: limit))
        }
    }

    @Test func `outings have their findings in order, and count species`() async throws {
        let (early, late) = (UUID(), UUID())
        let second = finding(visit(early), taxon: westernWren, day: "2025-06-02")
        let first = finding(visit(early), taxon: wren, day: "2025-06-01")
        let unidentified = finding(visit(early), day: "2025-06-03")
        let other = finding(visit(late, at: "2025-06-01T08:00:00+01:00", minutes: 30), taxon: wren)
        let alone = Sightings.submitted(by: observer, taxon: wren)
        let foreign = finding(visit(early), taxon: wren, by: UUID())
        let events = [second, first, unidentified, other, foreign, alone]
        let slice = try await visits(events)
        let visits = slice.items
        // Both began at the same moment.
        #expect(visits.map(\.visit.id) == [VisitID(early), VisitID(late)].sorted() && slice.next == nil)
        let outing = try #require(visits.first { $0.visit.id.uuid == early })
        #expect(outing.findings.map(\.id.uuid) == [first.stream, second.stream, unidentified.stream])
        #expect(outing.findingCount == 3 && outing.speciesCount == 1 && outing.visit.minutes == nil)
        #expect(outing.findings.map(\.taxon?.uuid) == [wren, westernWren, nil])
        #expect(visits.first { $0.visit.id.uuid == late }?.visit.minutes == 30)
    }

    @Test func `the finding that changed last has the effort`() async throws {
        let id = UUID()
        let (one, two) = (finding(visit(id, minutes: 10)), finding(visit(id, minutes: 20)))
        #expect(try await visits([one, two]).items.map(\.visit.minutes) == [20])
        let corrected = Sightings.corrected(one.stream, ["visit": visit(id, at: "2025-06-01T06:00:00Z", minutes: 45)])
        let outings = try await visits([one, two, corrected]).items
        #expect(outings.map(\.visit.minutes) == [45] && outings.first?.findingCount == 2)
    }

    @Test func `withdrawn findings are left out, rejected ones are shown but do not count`() async throws {
        let (id, gone) = (UUID(), UUID())
        let (one, two, three) = (
            finding(visit(id), taxon: wren), finding(visit(id), taxon: wren), finding(visit(gone), taxon: wren)
        )
        let rejected = GeneratedEvent(
            one.stream, "sighting", "SightingRejected", ["moderator": .id(UUID()), "reasons": .array(["other"])])
        let removed = Sightings.corrected(two.stream, ["visit": .null])
        let outings = try await visits(
            [one, two, three, rejected, removed, Sightings.withdrawn(three.stream, "mistake")]
        ).items
        #expect(outings.map(\.visit.id.uuid) == [id])
        #expect(outings.first?.findings.map(\.status) == [.rejected] && outings.first?.speciesCount == 0)
    }

    @Test func `pages list every outing once, the latest first`() async throws {
        let starts = (0..<9).map { "2025-06-0\($0 / 3 + 1)T07:00:00Z" }
        let found = starts.map { start in (start: start, id: UUID()) }
        let events = found.map { finding(visit($0.id, at: $0.start)) }
        let listed = try await read(events) { fixture in
            let queries = VisitQueries(fixture.pool)
            var (listed, page): ([ListedVisit], VisitQueries.Page) = ([], .init(limit: 2))
            repeat {
                let slice = try await queries.visits(of: AccountID(observer), page)
                listed += slice.items
                page.after = slice.next
            } while page.after != nil
            return listed
        }
        let expected = found.sorted { ($1.start, VisitID($0.id)) < ($0.start, VisitID($1.id)) }
        #expect(listed.map(\.visit.id.uuid) == expected.map(\.id))
    }

    @Test func `an outing has at most 200 findings, a page some 2,000, and the filter lists all`() async throws {
        let outings = (0..<12).map { (id: UUID(), start: "2025-06-\($0 + 10)T07:00:00Z") }
        let events = outings.flatMap { outing in
            (0..<201).map { _ in finding(visit(outing.id, at: outing.start), taxon: wren) }
        }
        try await read(events) { fixture in
            let queries = VisitQueries(fixture.pool)
            let slice = try await queries.visits(of: AccountID(observer), .init(limit: 50))
            #expect(slice.items.count == 10)
            #expect(
                slice.items.allSatisfy {
                    $0.findings.count == 200 && $0.findingCount == 201 && $0.speciesCount == 1
                })
            let next = try #require(slice.next)
            let rest = try await queries.visits(of: AccountID(observer), .init(limit: 50, after: next))
            #expect(rest.items.count == 2 && rest.next == nil)
            let all = try await FindingQueries(fixture.pool).findings(
                of: AccountID(observer), .init(visit: VisitID(outings[3].id), limit: 500)
            ).slice.items
            #expect(all.count == 201)
            #expect(all.allSatisfy { $0.sighting.details?.visit?.id == VisitID(outings[3].id) })
        }
    }
}
