import Domain
import EventLog
import FoundationEssentials
import ReadModels
import TestRandom
import TestSupport
import Testing

struct TargetFoldTests {
    private let regions = ["alaska", "hawaii"]

    /// Plans, choices, misses and replacements of a few weeks, some payloads redacted.
    @Test(arguments: RandomSource.seeds(3))
    func `the model follows the law, and agrees with the domain`(seed: UInt64) async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install([.taxa, .targets])
            var random = RandomSource(seed: seed)
            var writer = LogWriter(fixture.owner)
            var weeks = RandomWeeks()
            for _ in 0..<60 {
                try await writer.append([weeks.next(&random)])
                if random.isTrue(oneIn: 12) {
                    let target = Int64(random.int(in: 1...Int(writer.head)))
                    if let stream = try await fixture.redact(target) { writer.redacted(stream) }
                }
                if random.isTrue(oneIn: 5) { try await fixture.follow([.targets]) }
            }
            try await fixture.follow([.targets])
            try await assertRebuildsEqual(.targets, fixture.pool)
            try await compare(fixture, weeks)
        }
    }

    private func compare(_ fixture: ModelFixture, _ weeks: RandomWeeks) async throws {
        let events = Dictionary(grouping: try await fixture.events(), by: \.stream)
        for (stream, subject) in weeks.subjects {
            let decoded = try (events[stream] ?? []).map {
                try TargetsEvent(type: $0.type, payload: Array($0.payload.utf8))
            }
            let isWhole = !decoded.contains { if case .redacted = $0 { true } else { false } }
            guard isWhole, !decoded.isEmpty else { continue }
            let state = TargetsState(replaying: decoded)
            let row = try #require(try await TargetQueries(fixture.pool).week(subject.region, subject.week))
            #expect(row.plan == state.plan && row.version == decoded.count)
            #expect(row.targets.filter { $0.replacedAt == nil }.map(\.id) == state.targets.map(\.id))
            #expect(row.targets.count == state.targets.count + state.replaced.count)
            switch state.outcome {
            case .open: #expect(row.status == .planned)
            case .chosen(let choice): #expect(row.status == .chosen && row.startsAt == choice.startsAt)
            case .missed: #expect(row.status == .missed)
            case .redacted: Issue.record("redacted")
            }
        }
    }
}

/// Generates events of the targets of some weeks, as the decider would.
private struct RandomWeeks {
    private(set) var subjects: [UUID: (region: RegionCode, week: ISOWeek)] = [:]
    private var states: [UUID: TargetsState] = [:]

    mutating func next(_ random: inout RandomSource) -> GeneratedEvent {
        while true {
            let region = RegionCode(unchecked: ["alaska", "hawaii"][random.int(in: 0...1)])
            let week = ISOWeek(of: CivilDate(dayNumber: 20_000)).adding(weeks: random.int(in: 0...7))
            let known = subjects.first { $0.value.region == region && $0.value.week == week }?.key
            let stream = known ?? UUID()
            subjects[stream] = (region, week)
            guard let event = event(states[stream] ?? TargetsState(), region, week, &random) else { continue }
            states[stream, default: TargetsState()].evolve(event)
            return GeneratedEvent(
                stream, "targets", event.type, payload: String(decoding: event.payload, as: UTF8.self))
        }
    }

    private func event(
        _ state: TargetsState, _ region: RegionCode, _ week: ISOWeek, _ random: inout RandomSource
    ) -> TargetsEvent? {
        switch state.outcome {
        case .open where random.isTrue(oneIn: 3):
            let plan = PlanTargets(region: region, week: week, taxa: [TaxonID(UUID())], hasBegun: false)
            return try? TargetsDecider.decide(.plan(plan), state).events.first
        case .open where random.isTrue(oneIn: 4):
            return .missed(TargetsMissed(region: region, week: week))
        case .open:
            return .chosen(choice(region, week))
        case .chosen(let choice):
            guard let old = state.targets.randomElement(using: &random) else { return nil }
            let command = ReplaceTarget(target: old.id, replacement: target(), reason: .absent, at: choice.startsAt)
            return try? TargetsDecider.decide(.replace(command), state).events.first
        case .missed, .redacted:
            return nil
        }
    }

    private func choice(_ region: RegionCode, _ week: ISOWeek) -> TargetsChosen {
        TargetsChosen(
            region: region, week: week, zone: .utc, startsAt: Instant(startOf: week.monday),
            endsAt: Instant(startOf: week.adding(weeks: 1).monday), asOf: 1, rules: 1, activeObservers: 3,
            targets: [target(), target(), target()], relaxed: [.families])
    }

    private func target() -> ChosenTarget {
        ChosenTarget(
            id: TargetID(UUID()), taxon: TaxonID(UUID()), basis: .records, difficulty: .hard,
            score: TargetScore(records: 5, observers: 3, seasons: 2, findability: 0.5, recency: nil))
    }
}
