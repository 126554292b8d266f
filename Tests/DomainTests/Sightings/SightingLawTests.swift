import JSON
import TestRandom
import Testing

@testable import Domain

/// Laws that hold for any history of a sighting.
struct SightingLawTests {
    @Test func `folding is merging`() throws {
        for seed in 0..<300 {
            var random = RandomSighting(seed: UInt64(seed))
            let events = seed.isMultiple(of: 3) ? try random.importHistory() : try random.history()
            let folded = try #require(SightingState(replaying: events).record)
            var merged: [String: JSONValue] = [:]
            for event in events {
                for member in try JSONValue(parsing: event.payload).members { merged[member.name] = member.value }
            }
            // A merged payload has the members of a first one: read as such it must give the same record.
            let reader = PayloadReader(type: events[0].type, object: .object(merged.map(JSONMember.init)))
            let unmerged = SightingState(replaying: [try SightingEvent(reader)])
            #expect(unmerged.record == folded, "seed \(seed)")
        }
    }

    @Test func `a correction gives its fields and no others`() throws {
        for seed in 0..<300 {
            var random = RandomSighting(seed: UInt64(seed))
            let state = SightingState(replaying: try random.history())
            guard state.status == .pending, let old = state.record else { continue }
            let command = try random.correction(of: state)
            let decision = try SightingDecider.decide(.correct(command), state)
            var next = state
            for event in decision.events { next.evolve(event) }
            let new = try #require(next.record)
            let (changes, before, after) = (command.changes, old.details, new.details)
            let identified = command.identification
            #expect(
                new.identification.taxon == (identified.isUnset ? old.identification.taxon : identified.value?.taxon))
            #expect(after.count == changes.count.applied(to: before.count))
            #expect(after.confidence == changes.confidence ?? before.confidence)
            #expect(after.observed == changes.observed ?? before.observed)
            #expect(after.coordinate == changes.coordinate ?? before.coordinate)
            #expect(after.place == changes.place ?? before.place)
            #expect(after.uncertainty == changes.uncertainty.applied(to: before.uncertainty))
            #expect(after.captive == changes.captive ?? before.captive)
            #expect(after.licence == changes.licence.applied(to: before.licence))
            #expect(after.geoprivacy == changes.geoprivacy ?? before.geoprivacy)
            #expect(after.visit == changes.visit.applied(to: before.visit))
            #expect(after.surveyProtocol == changes.surveyProtocol ?? before.surveyProtocol)
            #expect(new.observer == old.observer && new.promptedBy == old.promptedBy)
            // Sent again it changes nothing, and nothing that it says is left out.
            var again = command
            again.kept = command.content
            #expect(try SightingDecider.decide(.correct(again), next).isEmpty, "seed \(seed)")
        }
    }

    @Test func `sensitivity is never lowered`() throws {
        for seed in 0..<100 {
            var random = RandomSighting(seed: UInt64(seed))
            var state = SightingState()
            for event in try random.history() {
                let before = state.sensitivity
                state.evolve(event)
                #expect(SensitivityCategory.mostSensitive(before, state.sensitivity) == state.sensitivity)
            }
        }
    }
}

/// Makes histories of sightings by asking for random things; what is asked twice is asked again on purpose.
struct RandomSighting {
    private var random: RandomSource

    init(seed: UInt64) {
        random = RandomSource(seed: seed)
    }

    mutating func history() throws -> [SightingEvent] {
        var submission = try Samples.submission()
        if random.isTrue(oneIn: 2) { submission.identification = nil }
        if random.isTrue(oneIn: 2) { submission.details.visit = nil }
        if random.isTrue(oneIn: 2) { submission.details.count = nil }
        var events = try SightingDecider.decide(.submit(submission), SightingState()).events
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            let state = SightingState(replaying: events)
            events += try SightingDecider.decide(.correct(try correction(of: state)), state).events
        }
        if random.isTrue(oneIn: 3) { events.append(.withdrawn(SightingWithdrawn(reason: .mistake))) }
        return events
    }

    mutating func importHistory() throws -> [SightingEvent] {
        var events: [SightingEvent] = []
        for batch in 0..<UInt8.random(in: 1...8, using: &random) {
            let state = SightingState(replaying: events)
            if state.status == .acceptedBySource, random.isTrue(oneIn: 3) {
                let withdrawal = WithdrawImport(dataset: Samples.id(40), batch: Samples.id(100 + batch))
                events += try SightingDecider.decide(.withdrawImport(withdrawal), state).events
            } else {
                events += try SightingDecider.decide(.importRecord(try row(batch: 100 + batch)), state).events
            }
        }
        return events
    }

    private mutating func row(batch: UInt8) throws -> ImportSighting {
        var row = try Samples.row(batch: batch)
        row.identification = random.isTrue(oneIn: 3) ? nil : identification()
        row.details.count = random.isTrue(oneIn: 2) ? nil : try IndividualCount(Int.random(in: 1...3, using: &random))
        row.details.uncertainty = random.isTrue(oneIn: 2) ? nil : try UncertaintyMetres(random.element(of: [1, 2.5]))
        row.details.licence = random.isTrue(oneIn: 2) ? nil : random.element(of: Licence.allCases)
        row.details.captive = random.isTrue(oneIn: 2)
        row.details.observed = try Samples.observed(random.element(of: ["2020", "2020-05", "2020-05-06"]))
        row.occurrence = try Fingerprint(bytes: (0..<32).map { _ in UInt8.random(in: 0...1, using: &random) })
        return row
    }

    mutating func correction(of state: SightingState) throws -> CorrectSighting {
        var command = CorrectSighting(observer: Samples.observer, kept: SightingContent(), receivedAt: Samples.now)
        command.identification = change(identification())
        command.changes.count = change(try IndividualCount(Int.random(in: 1...3, using: &random)))
        command.changes.confidence =
            random.isTrue(oneIn: 2) ? nil : try Confidence(Int.random(in: 7...9, using: &random))
        command.changes.observed =
            random.isTrue(oneIn: 2) ? nil : try Samples.observed(random.element(of: ["2025", "2025-04", "2025-04-05"]))
        if random.isTrue(oneIn: 2) {
            let latitude = random.element(of: [47.6062, 46, 47.5])
            command.changes.coordinate = try Coordinate(latitude: latitude, longitude: -122.3321)
            command.changes.place = try Samples.place()
        }
        command.changes.uncertainty = change(try UncertaintyMetres(random.element(of: [25, 0.1])))
        command.changes.captive = random.isTrue(oneIn: 2) ? nil : random.isTrue(oneIn: 2)
        command.changes.licence = random.isTrue(oneIn: 2) ? .unset : .set(random.element(of: Licence.allCases))
        command.changes.geoprivacy = random.isTrue(oneIn: 2) ? nil : random.element(of: Geoprivacy.allCases)
        command.changes.visit = change(try Samples.visit(random.element(of: [9, 10])))
        command.changes.surveyProtocol = random.isTrue(oneIn: 2) ? nil : random.element(of: SurveyProtocol.allCases)
        command.content = SightingContent(
            notes: random.isTrue(oneIn: 2) ? nil : try Note(random.element(of: ["fine", "finer"])),
            verbatimName: random.isTrue(oneIn: 2) ? nil : try VerbatimName(random.element(of: ["a", "b"])))
        return command
    }

    private mutating func identification() -> Identification {
        Identification(
            taxon: Samples.id(random.element(of: [20, 21])),
            qualifier: random.isTrue(oneIn: 2) ? nil : random.element(of: [.sp, .cf]),
            sensitivity: random.isTrue(oneIn: 2) ? nil : random.element(of: SensitivityCategory.allCases))
    }

    private mutating func change<Value>(_ value: Value) -> Change<Value> {
        random.element(of: [.unset, .set(value), .cleared])
    }
}
