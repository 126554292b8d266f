import Testing

@testable import Domain

struct SightingReviewTests {
    private let first: AccountID = Samples.id(5)
    private let second: AccountID = Samples.id(6)
    private let batch: DecisionBatchID = Samples.id(50)

    private func judge(
        _ decision: ReviewDecision, _ reasons: SightingReason..., by moderator: AccountID? = nil, note: String? = nil,
        batch: DecisionBatchID? = nil, isAtMargin: Bool = false
    ) throws -> SightingCommand {
        .judge(
            JudgeSighting(
                moderator: moderator ?? first, decision: decision, reasons: reasons,
                note: try note.map { try Remarks($0) }, batch: batch, isAtMargin: isAtMargin, judgedAt: Samples.now))
    }

    private func state(_ commands: SightingCommand...) throws -> SightingState {
        var state = SightingState(replaying: [try Samples.submitted()])
        for command in commands {
            for event in try SightingDecider.decide(command, state).events { state.evolve(event) }
        }
        return state
    }

    private func types(_ command: SightingCommand, _ state: SightingState) throws -> [String] {
        try SightingDecider.decide(command, state).events.map(\.type)
    }

    private func identify(
        _ number: UInt8, by account: AccountID, _ sensitivity: SensitivityCategory?
    ) -> SightingCommand {
        .identify(
            IdentifySighting(
                by: account, isModerator: account != Samples.observer,
                identification: Identification(taxon: Samples.id(number), sensitivity: sensitivity)))
    }

    @Test func `approved, rejected, reopened`() throws {
        #expect(try state(try judge(.approve)).status == .approved)
        let rejected = try state(try judge(.reject, .wrongPlace))
        #expect(rejected.status == .rejected && rejected.review.reasons == [.wrongPlace])
        #expect(try types(try judge(.reject, .wrongPlace), rejected) == [])
        #expect(try state(try judge(.approve), try judge(.reopen)).status == .pending)
    }

    private func flag(by number: UInt8) -> SightingCommand {
        .flag(RaiseFlag(by: Samples.id(number), reason: .wrongPlace))
    }

    @Test func `a repeated decision answers flags, and is none without any`() throws {
        for (decision, type) in [
            (try judge(.approve), SightingApproved.type), (try judge(.reject, .wrongPlace), SightingRejected.type),
            (try judge(.reject, .outOfRange, .wrongPlace), SightingRejected.type),
        ] {
            #expect(try types(decision, try state(decision)) == [])
            let flagged = try state(decision, flag(by: 8))
            #expect(try types(decision, flagged) == [type] && flagged.review.hasOpenFlags)
            let answered = try state(decision, flag(by: 8), decision)
            #expect(try types(decision, answered) == [] && !answered.review.hasOpenFlags)
        }
    }

    @Test func `nobody judges their own`() throws {
        for command in [
            try judge(.approve, by: Samples.observer),
            .amend(AmendSighting(moderator: Samples.observer, changes: SightingChanges())),
            .hide(HideSighting(moderator: Samples.observer, reason: .other, fields: [.notes])),
        ] {
            #expect(throws: SightingRejection.ownSighting) { try SightingDecider.decide(command, try state()) }
        }
    }

    @Test func `a text that is named twice is hidden once`() throws {
        let hidden = try state(.hide(HideSighting(moderator: first, reason: .other, fields: [.notes, .notes])))
        #expect(hidden.review.hidden == [.notes])
    }

    @Test func `out of range alone and records at the margin take two moderators`() throws {
        for reject in [
            try judge(.reject, .outOfRange), try judge(.reject, .wrongPlace, isAtMargin: true),
        ] {
            let asked = try state(reject)
            #expect(asked.status == .pending && asked.review.firstOpinion?.moderator == first)
            #expect(throws: SightingRejection.otherModerator) { try SightingDecider.decide(reject, asked) }
            #expect(throws: SightingRejection.otherModerator) {
                try SightingDecider.decide(try judge(.approve), asked)
            }
            #expect(try types(try judge(.reject, .outOfRange, by: second), asked) == [SightingRejected.type])
            #expect(try types(try judge(.approve, by: second), asked) == [SightingApproved.type])
        }
        #expect(throws: SightingRejection.notInBatch) {
            try SightingDecider.decide(try judge(.reject, .outOfRange, batch: batch), try state())
        }
        #expect(try types(try judge(.reject, .outOfRange, .wrongDate), try state()) == [SightingRejected.type])
    }

    @Test func `another moderator answers an appeal, and there is one`() throws {
        let appeal = SightingCommand.appeal(
            SightingWords(observer: Samples.observer, text: try Remarks("it sang")))
        #expect(throws: SightingRejection.nothingOpen) { try SightingDecider.decide(appeal, try state()) }
        let appealed = try state(try judge(.reject, .wrongDate), appeal)
        #expect(throws: SightingRejection.nothingOpen) { try SightingDecider.decide(appeal, appealed) }
        #expect(throws: SightingRejection.otherModerator) {
            try SightingDecider.decide(try judge(.approve), appealed)
        }
        #expect(try types(try judge(.reject, .wrongDate, by: second), appealed) == [SightingRejected.type])
        #expect(try types(try judge(.approve, by: second), appealed) == [SightingApproved.type])
    }

    @Test func `a second opinion about a decided sighting is answered by the present decision too`() throws {
        for (decision, type) in [
            (try judge(.approve, by: second), SightingApproved.type),
            (try judge(.reject, .wrongDate, by: second), SightingRejected.type),
        ] {
            let asked = try state(decision, try judge(.reject, .outOfRange))
            #expect(try types(decision, asked) == [type])
        }
    }

    @Test func `the first of two moderators leaves every decision to the second`() throws {
        let decisions = [
            try judge(.approve), try judge(.reject, .wrongDate), try judge(.reopen), try judge(.ask, note: "Where?"),
        ]
        for open in [
            try state(try judge(.reject, .wrongDate), appeal()), try state(try judge(.reject, .outOfRange)),
        ] {
            for decision in decisions {
                #expect(throws: SightingRejection.otherModerator) { try SightingDecider.decide(decision, open) }
            }
            #expect(try types(try judge(.reopen, by: second), open) == [SightingReopened.type])
        }
    }

    @Test func `a rejection that is confirmed on appeal is final until what was judged changes`() throws {
        let confirmed = [try judge(.reject, .wrongDate), try appeal(), try judge(.reject, .wrongPlace, by: second)]
        func after(_ commands: SightingCommand...) throws -> SightingState {
            var state = try state()
            for command in confirmed + commands {
                for event in try SightingDecider.decide(command, state).events { state.evolve(event) }
            }
            return state
        }
        #expect(throws: SightingRejection.nothingOpen) { try SightingDecider.decide(try appeal(), try after()) }
        let repeated = try after(flag(by: 8), try judge(.reject, .wrongPlace))
        #expect(throws: SightingRejection.nothingOpen) { try SightingDecider.decide(try appeal(), repeated) }
        var correction = CorrectSighting(
            observer: Samples.observer, kept: try Samples.submission().content, receivedAt: Samples.now)
        correction.changes.count = .cleared
        for change in [.correct(correction), try judge(.reopen), try judge(.approve)] {
            let anew = try after(change, try judge(.reject, .wrongDate))
            #expect(try types(try appeal(), anew) == [SightingAppealed.type])
        }
    }

    private func appeal() throws -> SightingCommand {
        .appeal(SightingWords(observer: Samples.observer, text: try Remarks("it sang")))
    }

    @Test func `a question parks, its answer ends that`() throws {
        let answer = SightingCommand.answer(
            SightingWords(observer: Samples.observer, text: try Remarks("yes")))
        #expect(throws: SightingRejection.nothingOpen) { try SightingDecider.decide(answer, try state()) }
        let asked = try state(try judge(.ask, note: "How large was it?"))
        #expect(asked.review.parkedUntil == Samples.now.adding(seconds: 14 * 86_400))
        #expect(try state(try judge(.ask, note: "How large?"), answer).review.parkedUntil == nil)
        #expect(throws: SightingRejection.invalid(Faults([Fault("/note", .required)]))) {
            try SightingDecider.decide(try judge(.ask), try state())
        }
    }

    @Test func `a change of what was judged is reviewed again, another is not`() throws {
        let kept = try Samples.submission().content
        var correction = CorrectSighting(observer: Samples.observer, kept: kept, receivedAt: Samples.now)
        for command in [try judge(.approve), try judge(.reject, .wrongDate)] {
            correction.changes = SightingChanges()
            correction.changes.count = .cleared
            #expect(
                try types(.correct(correction), try state(command)) == [SightingCorrected.type, SightingReopened.type])
            correction.changes = SightingChanges()
            correction.changes.licence = .set(.cc0)
            correction.changes.confidence = try Confidence(2)
            #expect(try types(.correct(correction), try state(command)) == [SightingCorrected.type])
        }
    }

    @Test func `the newest identification by a moderator is accepted, all count for the sensitivity`() throws {
        let own = try state(identify(30, by: Samples.observer, nil))
        #expect(own.record?.identification.taxon == Samples.id(30) && own.sensitivity == .three)
        let theirs = try state(identify(31, by: first, .four), identify(32, by: Samples.observer, .one))
        #expect(theirs.record?.identification.taxon == Samples.id(31) && theirs.sensitivity == .one)
        let newest = try state(identify(31, by: first, nil), identify(33, by: second, nil))
        #expect(newest.record?.identification.taxon == Samples.id(33))
    }

    @Test(arguments: [nil, SensitivityCategory.three, .one])
    func `a name typed later leaves a moderator's identification`(_ sensitivity: SensitivityCategory?) throws {
        var correction = CorrectSighting(
            observer: Samples.observer, kept: try Samples.submission().content, receivedAt: Samples.now)
        correction.identification = .set(Identification(taxon: Samples.id(31), sensitivity: sensitivity))
        correction.content.verbatimName = try VerbatimName("Condor")
        let identified = try state(identify(32, by: first, .three), try judge(.approve))
        let outcome = given(SightingDecider.self, identified).when(.correct(correction))
        #expect(outcome.next.record?.identification.taxon == Samples.id(32))
        #expect(outcome.next.record?.identification.qualifier == nil && outcome.next.status == .approved)
        #expect(outcome.next.sensitivity == (sensitivity == .one ? .one : .three))
        outcome.keeps([ContentWrite(event: 0, field: .verbatimName, value: "Condor")])
        correction.identification = .cleared
        #expect(
            given(SightingDecider.self, identified).when(.correct(correction)).next.record?.identification.taxon
                == Samples.id(32))
    }

    @Test func `a release lowers what was inherited, and nothing else does`() throws {
        func release(_ category: SensitivityCategory?) throws -> SightingCommand {
            .release(ReleaseSighting(moderator: first, category: category, note: try Remarks("a coyote")))
        }
        let coyote = identify(31, by: first, nil)
        #expect(try state(coyote, try release(nil)).sensitivity == nil)
        #expect(try state(coyote, try release(.four)).sensitivity == .four)
        let owl = ReleaseSighting(
            moderator: first, category: nil, taxonCategory: .two, note: try Remarks("an owl"))
        #expect(throws: SightingRejection.self, "its own category stays") {
            try SightingDecider.decide(.release(owl), try state(coyote))
        }
        #expect(throws: SightingRejection.self, "of a name that is unknown, what was inherited stays") {
            try SightingDecider.decide(try release(nil), try state())
        }
        #expect(throws: SightingRejection.self) { try SightingDecider.decide(try release(.two), try state(coyote)) }
    }

    @Test func `restoring brings back what was before`() throws {
        let undo = SightingCommand.restore(RestoreDecision(moderator: second, batch: batch))
        let rejection = try judge(.reject, .wrongDate, batch: batch)
        #expect(try types(undo, try state(rejection)) == [SightingReopened.type])
        #expect(try types(undo, try state(try judge(.approve), rejection)) == [SightingApproved.type])
        #expect(
            try state(try judge(.reject, .wrongPlace), try judge(.approve, batch: batch), undo).review.reasons
                == [.wrongPlace])
        #expect(throws: SightingRejection.changedSince) {
            try SightingDecider.decide(undo, try state(rejection, try judge(.reopen)))
        }
    }

    @Test func `restoring brings back what was open`() throws {
        let undo = SightingCommand.restore(RestoreDecision(moderator: first, batch: batch))
        let approval = try judge(.approve, by: second, batch: batch)
        for opening in [
            [try judge(.reject, .outOfRange)], [try judge(.reject, .wrongDate), try appeal()],
            [try judge(.ask, note: "Where?")], [try judge(.approve), flag(by: 8)],
        ] {
            var before = try state()
            for command in opening {
                for event in try SightingDecider.decide(command, before).events { before.evolve(event) }
            }
            let after = given(SightingDecider.self, given(SightingDecider.self, before).when(approval).next)
            let restored = after.when(undo).next
            #expect(restored.review.standing == before.review.standing && restored.status == before.status)
            let flagged = given(SightingDecider.self, after.when(flag(by: 9)).next).when(undo).next
            #expect(flagged.review.hasOpenFlags)
        }
    }

    @Test func `restoring takes a question back, and leaves one before it open`() throws {
        let undo = SightingCommand.restore(RestoreDecision(moderator: second, batch: batch))
        let question = try judge(.ask, note: "Where?", batch: batch)
        for (before, type) in [
            ([], SightingReopened.type), ([try judge(.approve)], SightingApproved.type),
            ([try judge(.reject, .wrongDate)], SightingRejected.type),
            ([try judge(.ask, note: "How large?")], SightingReopened.type),
        ] as [([SightingCommand], String)] {
            var state = try state()
            for command in before { state = given(SightingDecider.self, state).when(command).next }
            let asked = given(SightingDecider.self, state).when(question).next
            #expect(try types(undo, asked) == [type])
            let restored = given(SightingDecider.self, asked).when(undo).next
            #expect(restored.review.standing == state.review.standing && restored.status == state.status)
            #expect(throws: SightingRejection.changedSince) { try SightingDecider.decide(undo, restored) }
        }
        let answer = SightingCommand.answer(
            SightingWords(observer: Samples.observer, text: try Remarks("yes")))
        #expect(throws: SightingRejection.changedSince) {
            try SightingDecider.decide(undo, try state(question, answer))
        }
        #expect(throws: SightingRejection.changedSince) {
            try SightingDecider.decide(
                undo, try state(try judge(.approve, batch: batch), try judge(.ask, note: "Why?")))
        }
    }

    @Test func `a repeated reason counts once`() throws {
        let rejected = try state(try judge(.reject, .wrongDate, .wrongPlace, .wrongDate))
        #expect(rejected.review.reasons == [.wrongDate, .wrongPlace])
        #expect(
            try types(try judge(.reject, .outOfRange, .outOfRange), try state()) == [SightingSecondOpinionAsked.type])
    }

    @Test func `a rejected row stays rejected until it changes`() throws {
        let rejected: [SightingEvent] = [
            try Samples.imported(),
            .rejected(SightingRejected(review: ReviewStamp(moderator: first), reasons: [.wrongPlace])),
        ]
        given(SightingDecider.self, rejected).when(.importRecord(try Samples.row(batch: 42))).thenNothing()
        var row = try Samples.row(batch: 42)
        row.occurrence = Fingerprint(unchecked: String(repeating: "cd", count: 32))
        row.details.count = nil
        #expect(given(SightingDecider.self, rejected).when(.importRecord(row)).next.status == .pending)
    }

    @Test func `a moderator says that it is not wild, and nothing is reviewed again`() throws {
        var changes = SightingChanges()
        changes.captive = false
        let amend = SightingCommand.amend(AmendSighting(moderator: first, changes: changes))
        let next = try state(try judge(.approve), amend)
        #expect(next.status == .approved && next.record?.details.captive == false)
        #expect(try types(amend, next) == [])
    }

    @Test func `photos are ordered completely`() throws {
        let (one, two): (PhotoID, PhotoID) = (Samples.id(1), Samples.id(2))
        func order(_ photos: PhotoID...) -> SightingCommand {
            .orderPhotos(OrderPhotos(observer: Samples.observer, photos: photos, present: [one, two]))
        }
        #expect(try state(order(two, one)).review.photos == [two, one])
        for wrong in [order(one), order(one, one), order(one, two, Samples.id(3))] {
            #expect(throws: SightingRejection.self) { try SightingDecider.decide(wrong, try state()) }
        }
    }
}
