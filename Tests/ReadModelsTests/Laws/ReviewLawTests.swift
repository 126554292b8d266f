import Domain
import EventLog
import FoundationEssentials
import Postgres
import ReadModels
import TestRandom
import TestSupport
import Testing

/// The fold of the queue and the deciders agree on what is under review, also after undone decisions.
struct ReviewLawTests {
    private static let observer = FixtureLog.number(1)
    private static let moderators: [AccountID] = (5...7).map { AccountID(FixtureLog.number($0)) }
    private static var now: Instant { get throws { try Instant("2026-05-02T00:00:00Z") } }
    private static let batches: [DecisionBatchID] = (50...51).map { DecisionBatchID(FixtureLog.number($0)) }
    private static let reviewItems: SQL = "\(identifier: ReadModel.moderation.schema).items"

    @Test(arguments: RandomSource.seeds(3))
    func `what waits, for whom, and why`(seed: UInt64) async throws {
        try await ModelFixture.run { fixture in
            var random = RandomSource(seed: seed)
            try await fixture.install([.moderation])
            var writer = LogWriter(fixture.owner)
            var states: [UUID: SightingState] = [:]
            let submission = try #require(
                FixtureLog.streams(first: "all", others: "all").joined().first { $0.type == "SightingSubmitted" })
            for _ in 0..<60 {
                let first = GeneratedEvent(
                    random.uuid(), submission.kind, submission.type, payload: submission.payload)
                var (events, state) = ([first], SightingState())
                state.evolve(try SightingEvent(type: first.type, payload: Array(first.payload.utf8)))
                for step in 0..<random.int(in: 1...9) {
                    let decided = try? SightingDecider.decide(try Self.command(step, &random), state)
                    for event in decided?.events ?? [] {
                        state.evolve(event)
                        let payload = String(decoding: event.payload, as: UTF8.self)
                        events.append(GeneratedEvent(first.stream, "sighting", event.type, payload: payload))
                    }
                }
                try await writer.append(events)
                states[first.stream] = state
            }
            try await fixture.follow([.moderation])
            let rows = try await fixture.pool.query(
                """
                select id, review, decided_by, parked_until is not null as is_parked, waiting_since is not null as waits
                  from \(fragment: Self.reviewItems)
                """)
            #expect(rows.count == states.count)
            for row in rows.rows {
                let state = try #require(states[row.decode("id")])
                let expected = Expected(state)
                let found = Expected(
                    review: try row.decode("review"), decidedBy: try row.decode("decided_by"),
                    isParked: try row.decode("is_parked"), waits: try row.decode("waits"))
                #expect(found == expected, "\(state)")
                let isDecidable = try Self.moderators.contains { moderator in
                    let approval = JudgeSighting(moderator: moderator, decision: .approve, judgedAt: try Self.now)
                    return (try? SightingDecider.decide(.judge(approval), state))?.isEmpty == false
                }
                #expect(isDecidable || !found.waits, "\(state)")
            }
        }
    }

    /// The values of a row that depend on the review alone.
    private struct Expected: Equatable {
        let review: String?
        let decidedBy: UUID?
        let isParked: Bool
        let waits: Bool

        init(review: String?, decidedBy: UUID?, isParked: Bool, waits: Bool) {
            (self.review, self.decidedBy, self.isParked, self.waits) = (review, decidedBy, isParked, waits)
        }

        init(_ state: SightingState) {
            let review = state.review
            let kinds: [(Bool, ReviewItem.Review)] = [
                (review.firstOpinion != nil, .secondOpinion), (review.appealedFrom != nil, .appeal),
                (review.hasOpenFlags, .flagged),
            ]
            self.review = kinds.first { $0.0 }?.1.rawValue
            decidedBy = (review.firstOpinion?.moderator ?? review.appealedFrom)?.uuid
            isParked = review.parkedUntil != nil
            waits = state.status == .pending || self.review != nil
        }
    }

    private static func command(_ step: Int, _ random: inout RandomSource) throws -> SightingCommand {
        let moderator = random.element(of: moderators)
        let words = SightingWords(observer: AccountID(observer), text: try Remarks("I was there"))
        switch random.int(in: 0...7) {
        case 0: return .flag(RaiseFlag(by: AccountID(random.uuid()), reason: .wrongPlace))
        case 1: return .answer(words)
        case 2: return .appeal(words)
        case 3: return .restore(RestoreDecision(moderator: moderator, batch: random.element(of: batches)))
        case 4: return .withdraw(WithdrawSighting(observer: AccountID(random.uuid()), reason: .mistake))
        default:
            let (decision, reasons): (ReviewDecision, [SightingReason]) = random.element(of: [
                (.approve, []), (.reject, [.wrongPlace]), (.reject, [.outOfRange]), (.reopen, []), (.ask, []),
            ])
            return .judge(
                JudgeSighting(
                    moderator: moderator, decision: decision, reasons: reasons, note: try Remarks("step \(step)"),
                    batch: random.isTrue(oneIn: 2) ? random.element(of: batches) : nil,
                    judgedAt: try now))
        }
    }

    @Test func `an undone decision gives its place in the queue back, and parking takes photos along`() async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install([.moderation])
            var writer = LogWriter(fixture.owner)
            let (sighting, photo) = (FixtureLog.number(60), FixtureLog.number(120))
            func event(_ id: UUID, _ type: String, _ members: [String: JSONText] = [:]) -> GeneratedEvent {
                let moderator: [String: JSONText] = ["moderator": .id(Self.moderators[0].uuid)]
                return GeneratedEvent(
                    id, id == photo ? "photo" : "sighting", type, moderator.merging(members) { $1 })
            }
            var reviews = RandomReviews(random: RandomSource(seed: 1))
            try await writer.append([
                Sightings.submitted(sighting, by: Self.observer),
                reviews.upload(photo, to: sighting, by: Self.observer, ordinal: 0),
                event(sighting, "SightingApproved"), event(photo, "PhotoApproved"),
                event(sighting, "SightingReopened", ["restores": 1]), event(photo, "PhotoReopened", ["restores": 1]),
            ])
            try await fixture.follow([.moderation])
            #expect(try await fixture.queue() == ["sighting 00:00:01", "photo 00:00:02"])
            try await writer.append([
                event(sighting, "SightingQuestionAsked", ["parkedUntil": "2026-02-01T00:00:00Z"])
            ])
            try await fixture.follow([.moderation])
            #expect(try await fixture.queue(at: "2026-01-31T23:59:59Z") == [])
            #expect(try await fixture.queue(at: "2026-02-01T00:00:00Z") == ["sighting 00:00:01", "photo 00:00:02"])
        }
    }

    @Test func `questions of a batch are listed with its decisions, and undone ones park no longer`() async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install([.moderation])
            var writer = LogWriter(fixture.owner)
            let (asked, approved) = (FixtureLog.number(60), FixtureLog.number(61))
            let batch = Self.batches[0]
            func event(_ id: UUID, _ type: String, _ members: [String: JSONText] = [:]) -> GeneratedEvent {
                let moderator: [String: JSONText] = ["moderator": .id(Self.moderators[0].uuid)]
                return GeneratedEvent(id, "sighting", type, moderator.merging(members) { $1 })
            }
            func question(until: JSONText, _ members: [String: JSONText] = [:]) -> GeneratedEvent {
                event(asked, "SightingQuestionAsked", members.merging(["parkedUntil": until]) { $1 })
            }
            try await writer.append([
                Sightings.submitted(asked, by: Self.observer), Sightings.submitted(approved, by: Self.observer),
                question(until: "2026-02-01T00:00:00Z"),
                question(until: "2026-03-01T00:00:00Z", ["decisionBatch": .id(batch.uuid)]),
                event(approved, "SightingApproved", ["decisionBatch": .id(batch.uuid)]),
            ])
            try await fixture.follow([.moderation])
            let items = try await ModerationQueries(fixture.pool).items(of: batch)
            #expect(items.map(\.id) == [asked, approved] && items.allSatisfy { $0.subject == .sighting })
            #expect(try await fixture.queue(at: "2026-02-15T00:00:00Z") == [])
            try await writer.append([event(asked, "SightingReopened", ["restores": 2])])
            try await fixture.follow([.moderation])
            #expect(try await fixture.queue(at: "2026-01-31T23:59:59Z") == [], "the first question is open again")
            #expect(try await fixture.queue(at: "2026-02-15T00:00:00Z") == ["sighting 00:00:01"])
        }
    }

    @Test func `a second opinion about an approved sighting waits`() async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install([.moderation])
            var writer = LogWriter(fixture.owner)
            let sighting = Sightings.submitted(by: Self.observer)
            let moderator: [String: JSONText] = ["moderator": .id(Self.moderators[0].uuid)]
            try await writer.append([
                sighting, GeneratedEvent(sighting.stream, "sighting", "SightingApproved", moderator),
                GeneratedEvent(sighting.stream, "sighting", "SightingSecondOpinionAsked", moderator),
            ])
            try await fixture.follow([.moderation])
            #expect(try await fixture.queue() == ["sighting 00:00:01"])
        }
    }
}

extension ModelFixture {
    /// Subject and time of day, since when it waits, of a stranger's queue.
    fileprivate func queue(at now: String = "2026-01-02T00:00:00Z") async throws -> [String] {
        let page = ModerationQueries.Page(
            moderator: AccountID(FixtureLog.number(99)), now: try Instant(now), limit: 10)
        return try await ModerationQueries(pool).queue(page).items.map {
            "\($0.subject) \($0.waitingSince?.text().dropFirst(11).prefix(8) ?? "")"
        }
    }
}
