import Testing

@testable import Domain

struct SightingImportTests {
    private let otherPrint = Fingerprint(unchecked: String(repeating: "cd", count: 32))

    @Test func `a row becomes a record`() throws {
        let row = try Samples.row()
        let outcome = given(SightingDecider.self).when(.importRecord(row)).then([try Samples.imported()])
            .keeps([ContentWrite(event: 0, field: .record, value: row.record)])
        #expect(outcome.next.status == .acceptedBySource)
        #expect(outcome.next.record?.observer == nil && outcome.next.record?.details.confidence == nil)
    }

    @Test func `the same row changes nothing`() throws {
        given(SightingDecider.self, [try Samples.imported()]).when(.importRecord(try Samples.row(batch: 42)))
            .thenNothing()
    }

    @Test func `another version of a row is a correction`() throws {
        var row = try Samples.row(batch: 42)
        row.occurrence = otherPrint
        row.details.count = nil
        row.identification?.qualifier = nil
        var expected = SightingCorrected()
        expected.identification.qualifier = .cleared
        expected.changes.count = .cleared
        expected.occurrence = otherPrint
        expected.batch = Samples.id(42)
        expected.content = [.record]
        given(SightingDecider.self, [try Samples.imported()]).when(.importRecord(row)).then([.corrected(expected)])
            .keeps([ContentWrite(event: 0, field: .record, value: row.record)])
    }

    @Test func `a known row that now says who observed it gets nothing else, and no review`() throws {
        var earlier = try Samples.row()
        earlier.recorder = nil
        let imported = try SightingDecider.decide(.importRecord(earlier), SightingState()).events
        let rejection = SightingRejected(review: ReviewStamp(moderator: Samples.id(5)), reasons: [.wrongPlace])
        var expected = SightingCorrected()
        expected.recorder = .set(Samples.id(44))
        let outcome = given(SightingDecider.self, imported + [.rejected(rejection)])
            .when(.importRecord(try Samples.row(batch: 43))).then([.corrected(expected)]).keeps([])
        #expect(outcome.next.status == .rejected && outcome.next.record?.batch == Samples.id(41))
        #expect(outcome.next.record?.recorder == Samples.id(44))
        given(SightingDecider.self, [try Samples.imported()]).when(.importRecord(earlier)).thenNothing()
    }

    @Test func `a known row gets a visit, another one or none, and nothing else`() throws {
        var earlier = try Samples.row()
        earlier.rowVisit = .unset
        let imported = try SightingDecider.decide(.importRecord(earlier), SightingState()).events
        let approval = SightingEvent.approved(SightingApproved(review: ReviewStamp(moderator: Samples.id(5))))
        var row = try Samples.row(batch: 43)
        var history = imported + [approval]
        let partial = RowVisit(id: Samples.id(45), isComplete: false)
        for visit in [row.rowVisit, .set(partial), .set(RowVisit(id: Samples.id(46), isComplete: false)), .cleared] {
            row.rowVisit = visit
            var expected = SightingCorrected()
            expected.rowVisit = visit
            let outcome = given(SightingDecider.self, history).when(.importRecord(row)).then([.corrected(expected)])
                .keeps([])
            #expect(outcome.next.status == .approved && outcome.next.record?.batch == Samples.id(41))
            #expect(outcome.next.record?.rowVisit == visit.value)
            #expect(outcome.next.imports.touches == SightingState(replaying: history).imports.touches)
            history.append(.corrected(expected))
            given(SightingDecider.self, history).when(.importRecord(row)).thenNothing()
        }
        given(SightingDecider.self, [try Samples.imported()]).when(.importRecord(earlier)).thenNothing()
    }

    @Test func `a changed row is corrected with its visit, and keeps it where an import names none`() throws {
        var row = try Samples.row(batch: 42)
        row.occurrence = otherPrint
        row.rowVisit = .set(RowVisit(id: Samples.id(46), isComplete: true))
        let corrected = given(SightingDecider.self, [try Samples.imported()]).when(.importRecord(row))
        #expect(corrected.next.record?.rowVisit == row.rowVisit.value)
        #expect(corrected.next.record?.batch == Samples.id(42))
        let left = SightingEvent.withdrawn(SightingWithdrawn(reason: .vanished, batch: Samples.id(42)))
        row.rowVisit = .unset
        for history in [[try Samples.imported()], [try Samples.imported(), left]] {
            let outcome = given(SightingDecider.self, history).when(.importRecord(row))
            #expect(outcome.next.record?.rowVisit == RowVisit(id: Samples.id(45), isComplete: true))
        }
    }

    @Test func `a record leaves once and comes back`() throws {
        let withdrawal = WithdrawImport(dataset: Samples.id(40), batch: Samples.id(42))
        let left = SightingEvent.withdrawn(SightingWithdrawn(reason: .vanished, batch: Samples.id(42)))
        given(SightingDecider.self, [try Samples.imported()]).when(.withdrawImport(withdrawal)).then([left])
        given(SightingDecider.self, [try Samples.imported(), left]).when(.withdrawImport(withdrawal)).thenNothing()
        var row = try Samples.row(batch: 43)
        row.details.uncertainty = nil
        let outcome = given(SightingDecider.self, [try Samples.imported(), left]).when(.importRecord(row))
        guard case .imported(let payload)? = outcome.decision?.events.first else {
            Issue.record("expected SightingImported")
            return
        }
        #expect(payload.changes.uncertainty == .cleared, "what the record no longer has is said")
        #expect(outcome.next.status == .acceptedBySource && outcome.next.withdrawal == nil)
        #expect(outcome.next.record?.details.uncertainty == nil && outcome.next.record?.batch == Samples.id(43))
    }

    @Test(arguments: [WithdrawalReason.undone, .vanished])
    func `a rejected row that was gone comes back rejected, and a changed one is queued`(
        _ reason: WithdrawalReason
    ) throws {
        let rejection = SightingRejected(review: ReviewStamp(moderator: Samples.id(5)), reasons: [.wrongPlace])
        let left = SightingEvent.withdrawn(SightingWithdrawn(reason: reason, batch: Samples.id(42)))
        let rejected = given(SightingDecider.self, [try Samples.imported(), .rejected(rejection), left])
        var row = try Samples.row(batch: 43)
        let equal = rejected.when(.importRecord(row))
        #expect(equal.next.status == .rejected && equal.next.review.reasons == [.wrongPlace])
        #expect(equal.decision?.events.last == .rejected(rejection))
        row.occurrence = otherPrint
        #expect(rejected.when(.importRecord(row)).next.status == .pending)
        let waiting = given(
            SightingDecider.self,
            [try Samples.imported(), .reopened(SightingReopened(review: nil)), left])
        #expect(waiting.when(.importRecord(try Samples.row())).next.status == .pending)
    }

    @Test func `a row leaves a moderator's identification`() throws {
        let opinion = IdentifySighting(
            by: Samples.id(5), isModerator: true, identification: Identification(taxon: Samples.id(21)))
        let identified = given(SightingDecider.self, [try Samples.imported()]).when(.identify(opinion)).next
        var row = try Samples.row(batch: 42)
        row.occurrence = otherPrint
        let corrected = given(SightingDecider.self, identified).when(.importRecord(row)).next
        #expect(corrected.record?.identification.taxon == Samples.id(21))
        #expect(corrected.record?.identification.qualifier == nil && corrected.status == .acceptedBySource)
    }

    @Test func `records belong to their dataset`() throws {
        var row = try Samples.row()
        row.dataset = Samples.id(77)
        given(SightingDecider.self, [try Samples.imported()]).when(.importRecord(row)).thenRejected(.otherDataset)
        given(SightingDecider.self, [try Samples.submitted()]).when(.importRecord(row)).thenRejected(.otherDataset)
        let withdrawal = WithdrawImport(dataset: Samples.id(77), batch: Samples.id(42))
        given(SightingDecider.self, [try Samples.imported()]).when(.withdrawImport(withdrawal)).thenRejected(
            .otherDataset)
        given(SightingDecider.self).when(.withdrawImport(withdrawal)).thenRejected(.notFound)
    }

    @Test func `redacted records stay as they are`() throws {
        let redacted = SightingEvent.redacted(EveryEvent.redacted(SightingImported.type))
        given(SightingDecider.self, [redacted]).when(.importRecord(try Samples.row())).thenRejected(.redacted)
        #expect(SightingState(replaying: [redacted]).status == .acceptedBySource)
    }
}
