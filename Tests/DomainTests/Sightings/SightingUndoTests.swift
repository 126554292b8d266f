import TestRandom
import Testing

@testable import Domain

/// Undoing an import restores a record as it was before it, by new events.
struct SightingUndoTests {
    private let dataset: DatasetID = Samples.id(40)
    private let first: BatchID = Samples.id(41)
    private let second: BatchID = Samples.id(42)
    private let moderator: AccountID = Samples.id(5)

    private func row(_ batch: BatchID, _ number: Int) throws -> SightingCommand {
        var row = try Samples.row()
        row.batch = batch
        row.details.count = try IndividualCount(number)
        row.occurrence = try Fingerprint(bytes: [UInt8](repeating: UInt8(number), count: 32))
        return .importRecord(row)
    }

    private func undo(_ batch: BatchID, record: Change<String> = .unset) -> SightingCommand {
        .undoImport(UndoImportOfRecord(dataset: dataset, batch: batch, record: record))
    }

    private func vanish(_ batch: BatchID) -> SightingCommand {
        .withdrawImport(WithdrawImport(dataset: dataset, batch: batch))
    }

    private func judge(_ decision: ReviewDecision) -> SightingCommand {
        .judge(
            JudgeSighting(
                moderator: moderator, decision: decision, reasons: decision == .reject ? [.wrongPlace] : [],
                note: decision == .ask ? try? Remarks("Which?") : nil, judgedAt: Samples.now))
    }

    private func state(_ commands: [SightingCommand]) throws -> SightingState {
        try SightingState(replaying: events(commands))
    }

    private func events(_ commands: [SightingCommand]) throws -> [SightingEvent] {
        try commands.reduce(into: []) { events, command in
            events += try SightingDecider.decide(command, SightingState(replaying: events)).events
        }
    }

    @Test func `a new record is withdrawn`() throws {
        let undone = SightingWithdrawn(reason: .undone, batch: first, undo: UndoStamp(batch: first, restores: 0))
        let outcome = given(SightingDecider.self, try events([row(first, 1)])).when(undo(first))
            .then([.withdrawn(undone)])
        #expect(outcome.next.imports.touches.isEmpty && outcome.next.imports.effect(of: first) == .withdrawn)
        given(SightingDecider.self, outcome.next).when(undo(first)).thenNothing()
    }

    @Test func `a corrected record gets its former values and its former row`() throws {
        let before = try state([row(first, 1)])
        let corrected = try state([row(first, 1), row(second, 2)])
        let outcome = given(SightingDecider.self, corrected).when(undo(second, record: .set("{}")))
            .keeps([ContentWrite(event: 0, field: .record, value: "{}")])
        #expect(outcome.decision?.events.map(\.type) == [SightingCorrected.type])
        #expect(outcome.next.record == before.record && outcome.next.status == .acceptedBySource)
        #expect(outcome.next.imports.effect(of: second) == .setBack)
        given(SightingDecider.self, outcome.next).when(undo(second)).thenNothing()
        #expect(given(SightingDecider.self, outcome.next).when(undo(first)).next.status == .withdrawn)
    }

    @Test func `a visit noted after an import is no change that keeps it from being undone`() throws {
        let history = [try row(first, 1), try row(second, 2)]
        var noted = try Samples.row()
        noted.batch = Samples.id(43)
        noted.occurrence = try Fingerprint(bytes: [UInt8](repeating: 2, count: 32))
        noted.rowVisit = .set(RowVisit(id: Samples.id(46), isComplete: false))
        let before = try state([row(first, 1)])
        let present = try state(history + [.importRecord(noted)])
        #expect(present.record?.rowVisit == noted.rowVisit.value)
        let outcome = given(SightingDecider.self, present).when(undo(second))
        #expect(outcome.next.record == before.record && outcome.next.imports.effect(of: second) == .setBack)
    }

    @Test func `a record that vanished comes back`() throws {
        let before = try state([row(first, 1)])
        let outcome = given(SightingDecider.self, try state([row(first, 1), vanish(second)])).when(undo(second))
        #expect(outcome.decision?.events.map(\.type) == [SightingImported.type])
        #expect(outcome.next.record == before.record && outcome.next.status == .acceptedBySource)
        #expect(outcome.next.withdrawal == nil && outcome.next.imports.effect(of: second) == .broughtBack)
    }

    @Test func `a record that was withdrawn before is withdrawn again, for the former reason`() throws {
        let history = [try row(first, 1), vanish(second)]
        let (before, third): (SightingState, BatchID) = (try state(history), Samples.id(43))
        let outcome = given(SightingDecider.self, try state(history + [row(third, 3)])).when(undo(third))
        #expect(outcome.next.record == before.record && outcome.next.withdrawal == .vanished)
        #expect(outcome.next.withdrawnFrom == before.withdrawnFrom && outcome.next.imports.touches.count == 2)
    }

    @Test(arguments: [ReviewDecision.approve, .reject, .reopen, .ask])
    func `a review that the import had ended holds again`(_ decision: ReviewDecision) throws {
        for change in [try row(second, 2), vanish(second)] {
            let history = [try row(first, 1), judge(decision)]
            let before = try state(history)
            let outcome = given(SightingDecider.self, try state(history + [change])).when(undo(second))
            #expect(outcome.next.status == before.status && outcome.next.review.standing == before.review.standing)
            #expect(outcome.decision?.events.first.map { $0.restoredVersion == nil } != true || before.status != nil)
            let types = [SightingApproved.type, SightingRejected.type, SightingReopened.type]
            #expect(outcome.decision?.events.first.map { types.contains($0.type) } == false, "no decision of now")
        }
    }

    @Test func `what has changed since is left`() throws {
        let imported = [try row(first, 1)]
        for decision in [ReviewDecision.approve, .reject, .ask] {
            given(SightingDecider.self, try state(imported + [judge(decision)])).when(undo(first))
                .thenRejected(.keptFromUndo(.moderated))
        }
        let corrected = try state(imported + [row(second, 2)])
        given(SightingDecider.self, corrected).when(undo(first)).thenRejected(.keptFromUndo(.laterImport(second)))
        let gone = try state(imported + [vanish(second)])
        given(SightingDecider.self, gone).when(undo(first)).thenRejected(.keptFromUndo(.laterImport(second)))
        var changed = try events(imported)
        changed.append(.withdrawn(SightingWithdrawn(reason: .privacy)))
        given(SightingDecider.self, changed).when(undo(first)).thenRejected(.keptFromUndo(.withdrawn))
        let tombstone = SightingEvent.redacted(EveryEvent.redacted(SightingImported.type))
        let later = try #require(try events(imported + [row(second, 2)]).last)
        given(SightingDecider.self, [tombstone, later]).when(undo(second)).thenRejected(.keptFromUndo(.redacted))
    }

    @Test func `a flag is no change, and stays open`() throws {
        let flag = SightingCommand.flag(RaiseFlag(by: Samples.id(6), reason: .wrongPlace))
        let history = [try row(first, 1), try row(second, 2), flag]
        let outcome = given(SightingDecider.self, try state(history)).when(undo(second))
        #expect(outcome.next.review.hasOpenFlags && outcome.next.record?.details.count?.value == 1)
    }

    @Test func `the sensitivity that a record has had stays`() throws {
        var sensitive = try Samples.row()
        (sensitive.batch, sensitive.occurrence) = (second, try Fingerprint(bytes: [UInt8](repeating: 9, count: 32)))
        sensitive.identification = Identification(taxon: Samples.id(99), sensitivity: .one)
        let history = [try row(first, 1), .importRecord(sensitive), undo(second)]
        let undone = try state(history)
        #expect(undone.record?.identification.taxon == Samples.id(20) && undone.sensitivity == .one)
    }

    @Test func `an import that went on after another one is undone in two steps`() throws {
        let history = [try row(first, 1), try row(second, 2), try row(first, 1)]
        let outcome = given(SightingDecider.self, try state(history)).when(undo(first))
        #expect(outcome.next.record?.details.count?.value == 2)
        given(SightingDecider.self, outcome.next).when(undo(first)).thenRejected(.keptFromUndo(.laterImport(second)))
    }

    @Test func `undone before undoing restored anything, nothing is left to do`() throws {
        var old = try events([row(first, 1), row(second, 2)])
        old.append(.withdrawn(SightingWithdrawn(reason: .undone, batch: second)))
        given(SightingDecider.self, old).when(undo(second)).thenNothing()
    }

    @Test(arguments: 0..<200)
    func `undone in reverse order, every state comes back`(seed: Int) throws {
        var random = RandomSource(seed: UInt64(seed))
        var events: [SightingEvent] = []
        var steps: [(batch: BatchID, before: SightingState)] = []
        for number in 0..<UInt8.random(in: 1...6, using: &random) {
            let state = SightingState(replaying: events)
            let batch: BatchID = Samples.id(100 + number)
            let isGoing = state.status != nil && state.status != .withdrawn && random.isTrue(oneIn: 3)
            let change = isGoing ? vanish(batch) : try row(batch, Int.random(in: 1...3, using: &random))
            let new = try SightingDecider.decide(change, state).events
            if !new.isEmpty { steps.append((batch, state)) }
            events += new
            guard random.isTrue(oneIn: 2), let now = events.isEmpty ? nil : SightingState(replaying: events),
                now.status != .withdrawn
            else { continue }
            let decision = random.element(of: [ReviewDecision.approve, .reject, .reopen, .ask])
            if now.review.rejectedBy == nil { events += try SightingDecider.decide(judge(decision), now).events }
        }
        for (batch, before) in steps.reversed() {
            let state = SightingState(replaying: events)
            guard let touch = state.imports.touches.last, touch.changedSince == nil else { return }
            #expect(touch.batch == batch)
            events += try SightingDecider.decide(undo(batch), state).events
            let after = SightingState(replaying: events)
            #expect(after.imports.touches == before.imports.touches)
            guard before.status != nil else { return #expect(after.status == .withdrawn) }
            #expect(after.record == before.record && after.status == before.status)
            #expect(after.withdrawal == before.withdrawal && after.withdrawnFrom == before.withdrawnFrom)
            #expect(after.review.standing == before.review.standing)
        }
    }
}
