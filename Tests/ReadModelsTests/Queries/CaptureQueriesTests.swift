import Domain
import EventLog
import FoundationEssentials
import ReadModels
import TestSupport
import Testing

/// Which findings count for a target. The log's clock is in the first week of 2026; see ``LogWriter``.
struct CaptureQueriesTests {
    private static let models: [ReadModel] = [
        .accounts, .taxa, .photos, .targets, .sightingsExact, .sightingsPublic,
    ]
    /// 2025-W51: Monday, 15 December 2025, to Sunday, 21 December. Findings may be submitted until 5 January.
    private let week = ISOWeek(of: CivilDate(dayNumber: 20_437))
    private let observer = UUID()
    private let species = UUID()
    private let subspecies = UUID()
    private let target = TargetID(UUID())

    private var taxa: [GeneratedEvent] {
        [Sightings.taxon(species), Sightings.taxon(subspecies, parent: species)]
    }

    private func chosen(
        _ week: ISOWeek, region: String = "alaska", taxon: UUID? = nil, id: TargetID? = nil, stream: UUID = UUID()
    ) -> GeneratedEvent {
        let choice = TargetsChosen(
            region: RegionCode(unchecked: region), week: week, zone: .utc, startsAt: Instant(startOf: week.monday),
            endsAt: Instant(startOf: week.adding(weeks: 1).monday), asOf: 0, rules: 1, activeObservers: 0,
            targets: [
                ChosenTarget(
                    id: id ?? target, taxon: TaxonID(taxon ?? species), basis: .seasonalList, difficulty: nil,
                    score: nil)
            ],
            relaxed: [])
        return Self.event(stream, .chosen(choice))
    }

    private static func event(_ stream: UUID, _ event: TargetsEvent) -> GeneratedEvent {
        GeneratedEvent(stream, "targets", event.type, payload: String(decoding: event.payload, as: UTF8.self))
    }

    private func finding(
        _ id: UUID = UUID(), by observer: UUID? = nil, taxon: UUID? = nil, day: String = "2025-12-18",
        geoprivacy: String = "open", region: String? = "alaska", borderRegion: String? = nil
    ) -> GeneratedEvent {
        Sightings.submitted(
            id, by: observer ?? self.observer, taxon: taxon ?? species, day: day, geoprivacy: geoprivacy,
            region: region, borderRegion: borderRegion)
    }

    private func approved(_ event: GeneratedEvent) -> GeneratedEvent {
        GeneratedEvent(event.stream, "sighting", "SightingApproved", ["moderator": .id(UUID())])
    }

    private func photo(
        of sighting: GeneratedEvent, by observer: UUID? = nil, bytes: String = "ab", resembling: [UUID] = [],
        id: UUID = UUID()
    ) -> GeneratedEvent {
        GeneratedEvent(
            id, "photo", "PhotoUploaded",
            [
                "sighting": .id(sighting.stream), "observer": .id(observer ?? self.observer), "ordinal": 0,
                "original": .text(String(repeating: bytes, count: 32)), "mediaType": "image/jpeg", "width": 40,
                "height": 30, "bytes": 1000, "renditions": .array([]), "perceptualHash": "0123456789abcdef",
                "licence": "CC-BY-4.0", "resembles": .array(resembling.map(JSONText.id)),
            ])
    }

    private func registration(of account: UUID) -> GeneratedEvent {
        GeneratedEvent(
            account, "account", "AccountRegistered",
            [
                "licence": "CC-BY-4.0", "geoprivacy": "open", "attribution": "displayName", "observer": .id(UUID()),
                "roles": .array(["birder"]), "oldEnough": true,
            ])
    }

    /// Whether an account's finding is approved, for each target that it has after some events.
    private func captured(
        _ events: [GeneratedEvent], by account: UUID? = nil, isVerified: Bool = true
    ) async throws -> [Bool] {
        try await ModelFixture.run { fixture in
            try await fixture.install(Self.models)
            var writer = LogWriter(fixture.owner)
            let id = account ?? observer
            let verified = isVerified ? [GeneratedEvent(id, "account", "EmailVerified", [:])] : []
            try await writer.append([registration(of: id)] + verified + taxa + events)
            try await fixture.follow(Self.models)
            let queries = CaptureQueries(fixture.pool)
            let account = AccountID(account ?? observer)
            let all = try await queries.captures(of: account)
            let inWeek = try await queries.captures(of: account, in: (RegionCode(unchecked: "alaska"), week))
            #expect(inWeek == all.filter { $0.week == week && $0.region.text == "alaska" })
            return all.map(\.isApproved)
        }
    }

    @Test func `sent when submitted, captured when approved, nothing when rejected or withdrawn`() async throws {
        let found = finding()
        #expect(try await captured([chosen(week), found]) == [false])
        #expect(try await captured([chosen(week), found, approved(found)]) == [true])
        let rejected = GeneratedEvent(
            found.stream, "sighting", "SightingRejected", ["moderator": .id(UUID()), "reasons": .array(["other"])])
        #expect(try await captured([chosen(week), found, rejected]) == [])
        #expect(try await captured([chosen(week), found, Sightings.withdrawn(found.stream, "mistake")]) == [])
        #expect(try await captured([chosen(week), found, approved(found)], by: UUID()) == [])
    }

    @Test func `an approved finding stays sent until the address is verified`() async throws {
        let found = finding()
        #expect(try await captured([chosen(week), found, approved(found)], isVerified: false) == [false])
    }

    @Test func `the order of choosing and submitting does not matter`() async throws {
        let found = finding()
        #expect(try await captured([found, approved(found), chosen(week)]) == [true])
    }

    @Test func `a target is captured once, by the approved finding`() async throws {
        let (first, second) = (finding(), finding())
        #expect(try await captured([chosen(week), first, second, approved(second)]) == [true])
    }

    @Test func `the week is that of the observation, the region that of the place`() async throws {
        for day in ["2025-12-15", "2025-12-21"] {
            #expect(try await captured([chosen(week), finding(day: day)]) == [false], "\(day)")
        }
        for day in ["2025-12-14", "2025-12-22"] {
            #expect(try await captured([chosen(week), finding(day: day)]) == [], "\(day)")
        }
        #expect(try await captured([chosen(week), finding(region: "hawaii")]) == [])
        #expect(try await captured([chosen(week), finding(region: nil)]) == [])
        #expect(try await captured([chosen(week, region: "hawaii"), finding(region: "hawaii")]) == [false])
    }

    @Test func `a finding at a border counts for the targets of either region`() async throws {
        let found = finding(region: "hawaii", borderRegion: "alaska")
        #expect(try await captured([chosen(week), found]) == [false])
        #expect(try await captured([chosen(week, region: "hawaii"), found]) == [false])
        #expect(try await captured([chosen(week, region: "caribbean"), found]) == [])
        #expect(try await captured([chosen(week), finding(region: "hawaii", borderRegion: "hawaii")]) == [])
    }

    @Test func `the taxon is the target or below it`() async throws {
        #expect(try await captured([chosen(week), finding(taxon: subspecies)]) == [false])
        #expect(try await captured([chosen(week, taxon: subspecies), finding()]) == [])
        #expect(try await captured([chosen(week), finding(taxon: UUID())]) == [])
    }

    @Test func `corrections and identifications move it`() async throws {
        let found = finding()
        let other = Sightings.corrected(found.stream, ["taxon": .id(UUID())])
        #expect(try await captured([chosen(week), found, other]) == [])
        let identified = GeneratedEvent(
            found.stream, "sighting", "SightingIdentified",
            ["by": .id(UUID()), "isModerator": true, "accepted": true, "taxon": .id(species)])
        #expect(try await captured([chosen(week), found, other, identified]) == [false])
    }

    @Test func `not captured: captive, uncertain, or submitted too late`() async throws {
        let found = finding()
        for change: [String: JSONText] in [["captive": true], ["qualifier": "cf"]] {
            #expect(try await captured([chosen(week), found, Sightings.corrected(found.stream, change)]) == [])
        }
        // The log's clock is on the first of January: 14 days after the week before would have been the 29th.
        let earlier = week.adding(weeks: -1)
        #expect(try await captured([chosen(earlier), finding(day: "2025-12-11")]) == [])
    }

    @Test func `a record kept private counts`() async throws {
        let found = finding(geoprivacy: "private")
        #expect(try await captured([chosen(week), found, approved(found)]) == [true])
    }

    private func approvedPhoto(_ id: UUID) -> GeneratedEvent {
        GeneratedEvent(id, "photo", "PhotoApproved", ["moderator": .id(UUID())])
    }

    @Test func `a photo earns an account one capture`() async throws {
        let (earlier, ours) = (finding(), finding())
        let first = UUID()
        let copies = [photo(of: ours), photo(of: ours, bytes: "cd", resembling: [first])]
        for copy in copies {
            let events = [chosen(week), earlier, photo(of: earlier, id: first), ours, copy]
            let approval = [approved(earlier)]
            #expect(try await captured(events + approval) == [true], "by the first one")
            let moved = Sightings.corrected(earlier.stream, ["taxon": .id(UUID())])
            #expect(try await captured(events + approval + [moved]) == [false], "by the second one")
        }
        // Deleting the photo that earned the capture, later, frees no other.
        let next = week.adding(weeks: 1)
        let later = finding(day: "2025-12-25")
        for (bytes, count) in [("ab", 1), ("cd", 2)] {
            let events = [
                chosen(week), chosen(next, id: TargetID(UUID())), earlier, photo(of: earlier, id: first),
                approved(earlier), later, photo(of: later, bytes: bytes), approved(later),
                GeneratedEvent(first, "photo", "PhotoDeleted", [:]),
            ]
            #expect(try await captured(events).count == count)
        }
    }

    @Test func `a photo of another account counts while anyone may see it`() async throws {
        let other = UUID()
        let (theirs, ours) = (finding(by: other), finding())
        let first = UUID()
        for copy in [photo(of: ours), photo(of: ours, bytes: "cd", resembling: [first])] {
            let pending = [
                chosen(week), theirs, photo(of: theirs, by: other, id: first), ours, copy, approvedPhoto(first),
            ]
            #expect(try await captured(pending) == [false], "theirs is not approved")
            let events = pending + [approved(theirs)]
            #expect(try await captured(events) == [])
            #expect(try await captured(events, by: other) == [true])
            for event in [
                GeneratedEvent(first, "photo", "PhotoDeleted", [:]),
                GeneratedEvent(first, "photo", "PhotoHidden", ["hiding": "other"]),
                Sightings.withdrawn(theirs.stream, "privacy"),
            ] {
                #expect(try await captured(events + [event]) == [false], "\(event.type)")
            }
        }
        #expect(
            try await captured([
                chosen(week), theirs, photo(of: theirs, by: other, id: first), ours,
                photo(of: ours, bytes: "cd"), approvedPhoto(first), approved(theirs),
            ]) == [false], "it looks different")
    }

    /// Otherwise, whoever sends a copy of a picture with a finding of a target learns that it was sent before.
    @Test(arguments: ["open", "obscured", "private"])
    func `no photo that only its owner and moderators see has an effect on others`(_ geoprivacy: String) async throws {
        let other = UUID()
        let (theirs, ours) = (finding(by: other, geoprivacy: geoprivacy), finding())
        let first = UUID()
        for copy in [photo(of: ours), photo(of: ours, bytes: "cd", resembling: [first])] {
            let isApproved = geoprivacy == "open" ? [] : [approvedPhoto(first)]
            let events =
                [chosen(week), theirs, photo(of: theirs, by: other, id: first)] + isApproved
                + [approved(theirs), ours, copy, approved(ours)]
            #expect(try await captured(events) == [true])
            #expect(try await captured(events, by: other) == [true])
        }
    }

    @Test func `a photo of a finding that earned nothing does not count`() async throws {
        let other = UUID()
        let theirs = finding(by: other, day: "2025-11-11")
        let ours = finding()
        let first = UUID()
        #expect(
            try await captured([
                chosen(week), theirs, photo(of: theirs, by: other, id: first), approvedPhoto(first), approved(theirs),
                ours, photo(of: ours), approved(ours),
            ]) == [true])
    }

    @Test func `a replaced target stays open to those who had submitted`() async throws {
        let stream = UUID()
        let substitute = ChosenTarget(
            id: TargetID(UUID()), taxon: TaxonID(UUID()), basis: .plan, difficulty: nil, score: nil)
        let replaced = Self.event(
            stream, .replaced(TargetReplaced(target: target, replacement: substitute, reason: .absent)))
        let before = finding()
        #expect(
            try await captured([chosen(week, stream: stream), before, replaced, approved(before)]) == [true])
        let after = finding()
        #expect(try await captured([chosen(week, stream: stream), replaced, after, approved(after)]) == [])
    }

    @Test func `a finding that is edited into a replaced target does not count`() async throws {
        let stream = UUID()
        let substitute = ChosenTarget(
            id: TargetID(UUID()), taxon: TaxonID(UUID()), basis: .plan, difficulty: nil, score: nil)
        let replaced = Self.event(
            stream, .replaced(TargetReplaced(target: target, replacement: substitute, reason: .absent)))
        let (other, abroad) = (finding(taxon: UUID()), finding(region: "hawaii"))
        let identified = GeneratedEvent(
            other.stream, "sighting", "SightingIdentified",
            ["by": .id(UUID()), "isModerator": true, "accepted": true, "taxon": .id(species)])
        let edits: [(GeneratedEvent, GeneratedEvent)] = [
            (other, Sightings.corrected(other.stream, ["taxon": .id(species)])),
            (other, identified),
            (abroad, Sightings.corrected(abroad.stream, ["place": Sightings.place("alaska")])),
        ]
        for (found, edit) in edits {
            let approval = approved(found)
            #expect(
                try await captured([chosen(week, stream: stream), found, edit, replaced, approval]) == [true])
            #expect(try await captured([chosen(week, stream: stream), found, replaced, edit, approval]) == [])
        }
        let counted = finding(taxon: subspecies)
        for edit: [String: JSONText] in [["count": 7], ["taxon": .id(species)]] {
            let edited = Sightings.corrected(counted.stream, edit)
            #expect(
                try await captured([
                    chosen(week, stream: stream), counted, replaced, edited, approved(counted),
                ]) == [true], "it had counted before")
        }
    }
}
