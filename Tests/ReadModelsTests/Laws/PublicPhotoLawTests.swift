import Domain
import EventLog
import FoundationEssentials
import JSON
import Postgres
import ReadModels
import TestRandom
import Testing

/// The photos that anyone may see at two positions, and the decisions on them, against definitions that read the log.
/// The public state of their sightings comes from the model, which has laws of its own.
struct PublicPhotoLawTests {
    @Test(arguments: RandomSource.seeds(3))
    func `a photo is shown while it is approved, neither hidden nor deleted, and its sighting is a record`(
        seed: UInt64
    ) async throws {
        try await Self.run(seed) { fixture, log, moments in
            var shown = 0
            for moment in moments {
                var expected: Set<[UUID]> = []
                for row in try await fixture.publicRows(at: moment) where row.kind == .record {
                    let photos = log.photos(of: row.id, at: moment)
                    expected.formUnion(photos.map { [$0, row.id.uuid] })
                }
                let found = try await fixture.pool.query(
                    """
                    select s.photo, s.record, s.id, s.guarded, s.observer from \(fragment: PublicPhotoQueries.table)
                     where \(fragment: moment.photoCondition)
                    """
                ).rows
                #expect(Set(try found.map { [try $0.decode("photo"), try $0.decode("record")] }) == expected)
                #expect(found.count == expected.count, "no photo is shown twice")
                for row in found {
                    #expect(try row.decode("id", as: UUID.self) != row.decode("photo", as: UUID.self))
                    let observer: UUID? = try row.decode("observer")
                    #expect(try !row.decode("guarded", as: Bool.self) || observer == nil)
                }
                shown += expected.count
            }
            #expect(shown > 5 || !RandomSource.isFixed(seed))
        }
    }

    @Test(arguments: RandomSource.seeds(3))
    func `a history has the decisions on photos that are not deleted, made while times were shown`(
        seed: UInt64
    ) async throws {
        try await Self.run(seed) { fixture, log, moments in
            let queries = PublicHistoryQueries(fixture.pool)
            var (told, numbers) = (0, Set<Int>())
            for moment in moments {
                for row in try await fixture.publicRows(at: moment) {
                    var expected: [Int64: Int] = [:]
                    for (position, number) in log.decisions(of: row.id, at: moment) {
                        let then = try await PublicSightingQueries(fixture.pool).sighting(
                            row.id, asOf: PublicMoment(known: position, shown: moment.shown))
                        guard let state = then?.sighting, state.kind == .record, state.version != nil else { continue }
                        expected[position] = number
                    }
                    let found = try await queries.photoDecisions(on: row.id, asOf: moment)
                    #expect(found.map(\.knownSince) == expected.keys.sorted())
                    #expect(found.map(\.moderator) == found.map { expected[$0.knownSince] })
                    (told, numbers) = (told + found.count, numbers.union(found.map(\.moderator)))
                }
            }
            #expect(told > 5 && numbers.count > 1 || !RandomSource.isFixed(seed), "\(told) \(numbers)")
        }
    }

    private static func run(
        _ seed: UInt64, _ body: @Sendable (ModelFixture, PhotoOracle, [PublicMoment]) async throws -> Void
    ) async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install([.sightingsPublic])
            var random = RandomSource(seed: seed)
            var history = RandomHistory(seed: seed, hasReviews: true)
            var writer = LogWriter(fixture.owner)
            for step in 0..<1_000 {
                try await writer.append(step < 40 || random.isTrue(oneIn: 8) ? history.next() : history.review())
                guard step > 40, random.isTrue(oneIn: 20) else { continue }
                if let stream = try await fixture.redact(Int64(random.int(in: 1...Int(writer.head)))) {
                    writer.redacted(stream)
                }
            }
            try await fixture.follow([.sightingsPublic])
            let head = Int(writer.head)
            let moments = (0..<10).map { _ in
                let known = random.int(in: 1...head)
                return PublicMoment(
                    known: Int64(known), shown: Int64(random.element(of: [known, head, random.int(in: known...head)])))
            }
            let origins = try await fixture.pool.query(
                "select id, stream from \(identifier: ReadModel.sightingsPublic.schema).origins"
            ).rows.map { (try $0.decode("id", as: UUID.self), try $0.decode("stream", as: UUID.self)) }
            let oracle = try PhotoOracle(
                try await fixture.events(), streams: Dictionary(uniqueKeysWithValues: origins))
            try await body(fixture, oracle, moments)
        }
    }
}

/// Photos and the decisions on them, read from the log event by event.
private struct PhotoOracle {
    private static let decisions: Set = ["PhotoApproved", "PhotoRejected", "PhotoReopened"]
    private static let ownDecisions: Set = [
        "SightingApproved", "SightingRejected", "SightingReopened", "SightingIdentified", "SightingHidden",
        "SightingUnhidden", "SightingReleased",
    ]

    private struct Entry {
        let event: RecordedEvent
        let payload: JSONValue

        var moderator: String? {
            let identifier = payload["isModerator"] == .boolean(true) ? payload["by"]?.string : nil
            return payload["moderator"]?.string ?? identifier
        }
    }

    /// By stream, without photos whose upload is redacted.
    private var photos: [UUID: [Entry]] = [:]
    private var sightings: [UUID: [Entry]] = [:]
    /// The sighting of every photo.
    private var hosts: [UUID: UUID] = [:]
    /// The streams of the public ids that are not their sighting's own.
    private let streams: [UUID: UUID]

    init(_ events: [RecordedEvent], streams: [UUID: UUID]) throws {
        self.streams = streams
        for event in events {
            let entry = Entry(event: event, payload: try JSONValue(parsing: Array(event.payload.utf8)))
            if event.type == "PhotoUploaded", let host = entry.payload["sighting"]?.string {
                hosts[event.stream] = UUID(uuidString: host)
            }
            if hosts[event.stream] != nil {
                photos[event.stream, default: []].append(entry)
            } else {
                sightings[event.stream, default: []].append(entry)
            }
        }
    }

    func photos(of id: SightingID, at moment: PublicMoment) -> [UUID] {
        photos(of: id).filter { isShown(photos[$0] ?? [], at: moment) }
    }

    private func photos(of id: SightingID) -> [UUID] {
        let stream = streams[id.uuid] ?? id.uuid
        return hosts.filter { $0.value == stream }.map(\.key)
    }

    private func isShown(_ entries: [Entry], at moment: PublicMoment) -> Bool {
        let known = entries.map(\.event).filter { $0.position <= moment.known }
        guard known.last(where: { Self.decisions.contains($0.type) })?.type == "PhotoApproved" else { return false }
        let restrictions = entries.map(\.event).filter { $0.position <= moment.shown }
        if restrictions.contains(where: { $0.type == "PhotoDeleted" }) { return false }
        return !restrictions.contains { hiding in
            hiding.type == "PhotoHidden"
                && !known.contains { $0.type == "PhotoUnhidden" && $0.position > hiding.position }
        }
    }

    /// The positions of the decisions on the photos of a sighting, and the numbers of their moderators.
    func decisions(of id: SightingID, at moment: PublicMoment) -> [(Int64, Int)] {
        let own = (sightings[streams[id.uuid] ?? id.uuid] ?? []).filter { Self.ownDecisions.contains($0.event.type) }
        let judged = photos(of: id).flatMap { photos[$0] ?? [] }.filter { Self.decisions.contains($0.event.type) }
        var moderators: [String] = []
        for entry in (own + judged).sorted(by: { $0.event.position < $1.event.position }) {
            guard let moderator = entry.moderator, !moderators.contains(moderator) else { continue }
            moderators.append(moderator)
        }
        return judged.compactMap { entry in
            guard entry.event.position <= moment.known, !isDeleted(entry.event.stream, at: moment),
                let moderator = entry.moderator, let index = moderators.firstIndex(of: moderator)
            else { return nil }
            return (entry.event.position, index + 1)
        }
    }

    private func isDeleted(_ photo: UUID, at moment: PublicMoment) -> Bool {
        photos[photo]?.contains { $0.event.type == "PhotoDeleted" && $0.event.position <= moment.shown } ?? false
    }
}
