import Testing

@testable import Domain

struct PhotoDeciderTests {
    private let moderator: AccountID = Samples.id(5)
    private let other: AccountID = Samples.id(6)
    private let batch: DecisionBatchID = Samples.id(50)

    private func uploaded() throws -> PhotoEvent {
        try PhotoDecider.decide(.upload(try Samples.upload()), PhotoState()).events[0]
    }

    private func judge(_ decision: ReviewDecision, _ reasons: PhotoReason..., note: String? = nil) throws
        -> PhotoCommand
    {
        .judge(
            JudgePhoto(
                moderator: moderator, decision: decision, reasons: reasons, note: try note.map { try Remarks($0) },
                batch: batch))
    }

    @Test func `a photo is uploaded with its texts and its ordinal`() throws {
        let upload = try Samples.upload(ordinal: 3)
        let outcome = given(PhotoDecider.self).when(.upload(upload)).keeps([
            ContentWrite(event: 0, field: .altText, value: "a wren on a branch"),
            ContentWrite(event: 0, field: .capture, value: upload.capture),
        ])
        #expect(outcome.decision?.reservations == [.photo(3, of: upload.sighting)])
        #expect(outcome.next.status == .pending && outcome.next.renditions == upload.image.renditions)
        given(PhotoDecider.self, [try uploaded()]).when(.upload(upload)).thenRejected(.alreadyUploaded)
    }

    @Test func `only real changes describe it`() throws {
        let text = try AltText("a wren on a branch")
        let photo = given(PhotoDecider.self, [try uploaded()])
        photo.when(.describe(DescribePhoto(observer: Samples.observer, licence: .by, kept: text, altText: text)))
            .thenNothing()
        photo.when(.describe(DescribePhoto(observer: Samples.observer, licence: .cc0, kept: text, altText: nil)))
            .then([.described(PhotoDescribed(licence: .cc0, content: [.altText]))])
            .keeps([ContentWrite(event: 0, field: .altText, value: nil)])
        photo.when(.describe(DescribePhoto(observer: other, licence: .cc0, kept: text, altText: nil)))
            .thenRejected(.notFound)
    }

    @Test func `rendering it again is an event where that changes something`() throws {
        let upload = try Samples.upload()
        let renditions = upload.image.renditions
        let hash = LikenessHash(unchecked: String(repeating: "3c", count: 32))
        let rendered = PhotoEvent.rendered(PhotoRendered(renditions: renditions, likeness: [hash]))
        given(PhotoDecider.self, [try uploaded()]).when(.render(renditions, likeness: [hash])).then([rendered])
        let photo = given(PhotoDecider.self, [try uploaded(), rendered])
        photo.when(.render(renditions, likeness: [hash])).thenNothing()
        // It shows too little by a later rule.
        photo.when(.render(renditions, likeness: [])).thenNothing()
        photo.when(.render([], likeness: [])).then([.rendered(PhotoRendered(renditions: [], likeness: []))])
    }

    @Test func `its owner deletes it, once`() throws {
        let photo = given(PhotoDecider.self, [try uploaded()])
        photo.when(.delete(by: other)).thenRejected(.notFound)
        #expect(photo.when(.delete(by: Samples.observer)).then([.deleted(PhotoDeleted())]).next.status == .deleted)
        let deleted = given(PhotoDecider.self, [try uploaded(), .deleted(PhotoDeleted())])
        deleted.when(.delete(by: Samples.observer)).thenRejected(.gone)
        deleted.when(try judge(.approve)).thenRejected(.gone)
    }

    @Test func `nobody judges their own`() throws {
        let own = JudgePhoto(moderator: Samples.observer, decision: .approve)
        given(PhotoDecider.self, [try uploaded()]).when(.judge(own)).thenRejected(.ownPhoto)
    }

    @Test func `a rejection has a reason, and other has a note`() throws {
        let photo = given(PhotoDecider.self, [try uploaded()])
        photo.when(try judge(.reject)).thenRejected(.invalid(Faults([Fault("/reasons", .required)])))
        photo.when(try judge(.reject, .other)).thenRejected(.invalid(Faults([Fault("/note", .required)])))
        let rejected = photo.when(try judge(.reject, .other, note: "painted")).next
        #expect(rejected.status == .rejected && rejected.reasons == [.other] && rejected.hiding == nil)
    }

    @Test func `a repeated reason counts once`() throws {
        let photo = given(PhotoDecider.self, [try uploaded()])
        #expect(
            photo.when(try judge(.reject, .unreadable, .noWildlife, .unreadable)).next.reasons == [
                .unreadable, .noWildlife,
            ])
    }

    @Test(arguments: [PhotoReason.notOwnWork, .inappropriate, .personRecognisable])
    func `what nobody should see is hidden with its rejection`(_ reason: PhotoReason) throws {
        let next = given(PhotoDecider.self, [try uploaded()]).when(try judge(.reject, .unreadable, reason)).next
        #expect(next.status == .rejected && next.hiding == reason.hiding && next.hiding != nil)
    }

    @Test func `restoring brings back what was before, and only then`() throws {
        let undo = PhotoCommand.restore(RestoreDecision(moderator: other, batch: batch))
        for before in [[], [PhotoEvent.approved(PhotoApproved(review: ReviewStamp(moderator: other)))]] {
            let state = PhotoState(replaying: [try uploaded()] + before)
            var rejected = state
            for event in try PhotoDecider.decide(try judge(.reject, .inappropriate), state).events {
                rejected.evolve(event)
            }
            for event in try PhotoDecider.decide(undo, rejected).events { rejected.evolve(event) }
            #expect(rejected.status == state.status && rejected.hiding == state.hiding)
            #expect(throws: PhotoRejection.changedSince) { try PhotoDecider.decide(undo, rejected) }
            let own = PhotoCommand.restore(RestoreDecision(moderator: Samples.observer, batch: batch))
            #expect(throws: PhotoRejection.ownPhoto) { try PhotoDecider.decide(own, rejected) }
        }
    }

    @Test func `a repeated decision answers flags, and is none without any`() throws {
        for decision in [try judge(.approve), try judge(.reject, .unreadable)] {
            let decided = given(PhotoDecider.self, [try uploaded()]).when(decision).next
            given(PhotoDecider.self, decided).when(decision).thenNothing()
            let flag = PhotoCommand.flag(RaiseFlag(by: other, reason: .inappropriate))
            let flagged = given(PhotoDecider.self, decided).when(flag).next
            let answered = given(PhotoDecider.self, flagged).when(decision)
            #expect(answered.decision?.events.count == 1 && !answered.next.hasOpenFlags)
            given(PhotoDecider.self, answered.next).when(decision).thenNothing()
            let undo = PhotoCommand.restore(RestoreDecision(moderator: other, batch: batch))
            #expect(given(PhotoDecider.self, answered.next).when(undo).next.hasOpenFlags)
        }
    }

    @Test func `hidden and shown again`() throws {
        let hide = PhotoCommand.hide(HidePhoto(moderator: moderator, reason: .personalData))
        let hidden = given(PhotoDecider.self, [try uploaded()]).when(hide).next
        #expect(hidden.hiding == .personalData && hidden.status == .pending)
        #expect(try PhotoDecider.decide(hide, hidden).isEmpty)
        let shown = try PhotoDecider.decide(.unhide(UnhidePhoto(moderator: moderator)), hidden)
        #expect(shown.events.map(\.type) == [PhotoUnhidden.type])
    }

    @Test func `one flag a person, and none on one's own`() throws {
        let photo = given(PhotoDecider.self, [try uploaded()])
        photo.when(.flag(RaiseFlag(by: Samples.observer, reason: .other))).thenRejected(.ownPhoto)
        let flagged = photo.when(.flag(RaiseFlag(by: other, reason: .inappropriate))).next
        #expect(try PhotoDecider.decide(.flag(RaiseFlag(by: other, reason: .other)), flagged).isEmpty)
    }
}
