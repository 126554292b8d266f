import Domain
import Testing

@Suite struct SightingDeciderTests {
    private func correction() throws -> CorrectSighting {
        let submission = try Samples.submission()
        let kept = SightingContent(notes: submission.notes, verbatimName: submission.verbatimName)
        return CorrectSighting(observer: Samples.observer, kept: kept, receivedAt: Samples.now)
    }

    @Test func aSightingIsSubmitted() throws {
        let outcome = given(SightingDecider.self).when(.submit(try Samples.submission()))
        outcome.then([try Samples.submitted()]).keeps([
            ContentWrite(event: 0, field: .notes, value: "two adults and a chick"),
            ContentWrite(event: 0, field: .verbatimName, value: "Western/Clark's Grebe"),
        ])
        #expect(outcome.next.status == .pending && outcome.next.sensitivity == .three)
        #expect(outcome.next.record?.count?.value == 3)
    }

    @Test func anEmptyNoteIsNone() throws {
        var submission = try Samples.submission()
        submission.notes = try Note("")
        submission.verbatimName = nil
        given(SightingDecider.self).when(.submit(submission)).keeps([])
    }

    @Test func aSightingFromTheFutureIsInvalid() throws {
        var submission = try Samples.submission()
        submission.observed = try Samples.observed("2026-05-02T00:20:00Z")
        let faults = Faults([Fault("/observedAt", RuleViolation(.range, "must not be in the future"))])
        given(SightingDecider.self).when(.submit(submission)).thenRejected(.invalid(faults))
        var correction = try correction()
        correction.observed = submission.observed
        given(SightingDecider.self, [try Samples.submitted()]).when(.correct(correction)).thenRejected(.invalid(faults))
    }

    @Test func aStreamHoldsOneSighting() throws {
        let submit = SightingCommand.submit(try Samples.submission())
        given(SightingDecider.self, [try Samples.submitted()]).when(submit).thenRejected(.alreadySubmitted)
        given(SightingDecider.self, [.redacted(EveryEvent.redacted(SightingSubmitted.type))])
            .when(submit).thenRejected(.alreadySubmitted)
    }

    @Test func onlyRealChangesAreCorrections() throws {
        let submission = try Samples.submission()
        var correction = try correction()
        let sighting = given(SightingDecider.self, [try Samples.submitted()])
        sighting.when(.correct(correction)).thenNothing()
        correction.identification = Change(initial: submission.identification)
        correction.verbatimName = Change(initial: submission.verbatimName)
        correction.count = Change(initial: submission.count)
        correction.confidence = submission.confidence
        correction.observed = submission.observed
        correction.location = submission.location
        correction.uncertainty = Change(initial: submission.uncertainty)
        correction.captive = submission.captive
        correction.licence = submission.licence
        correction.geoprivacy = submission.geoprivacy
        correction.visit = Change(initial: submission.visit)
        correction.surveyProtocol = submission.surveyProtocol
        correction.notes = Change(initial: submission.notes)
        sighting.when(.correct(correction)).thenNothing().keeps([])
        correction.count = .cleared
        var expected = SightingCorrected()
        expected.count = .cleared
        sighting.when(.correct(correction)).then([.corrected(expected)]).keeps([])
    }

    @Test func textsAreRewrittenAndErasedBesideTheLog() throws {
        var correction = try correction()
        correction.notes = .set(try Note(""))
        correction.verbatimName = .set(try VerbatimName("Clark's Grebe"))
        var expected = SightingCorrected()
        expected.content = [.notes, .verbatimName]
        given(SightingDecider.self, [try Samples.submitted()]).when(.correct(correction)).then([.corrected(expected)])
            .keeps([
                ContentWrite(event: 0, field: .notes, value: nil),
                ContentWrite(event: 0, field: .verbatimName, value: "Clark's Grebe"),
            ])
    }

    @Test func anotherIdentificationBringsItsOwnQualifierAndSensitivity() throws {
        var correction = try correction()
        correction.identification = .set(Identification(taxon: Samples.id(21)))
        var expected = SightingCorrected()
        expected.taxon = .set(Samples.id(21))
        expected.qualifier = .cleared
        expected.sensitivity = .cleared
        let outcome = given(SightingDecider.self, [try Samples.submitted()]).when(.correct(correction))
        outcome.then([.corrected(expected)])
        #expect(outcome.next.record?.sensitivity == nil)
        #expect(outcome.next.sensitivity == .three, "the most sensitive of all identifications stays")
        correction.identification = .cleared
        #expect(
            given(SightingDecider.self, [try Samples.submitted()]).when(.correct(correction)).next.record?.taxon == nil)
    }

    @Test func aMoreSensitiveMemberOfTheSameTaxonIsAnotherIdentification() throws {
        let harmless = Identification(taxon: Samples.id(21), qualifier: .cf)
        let sensitive = Identification(taxon: Samples.id(21), qualifier: .cf, sensitivity: .two)
        var correction = try correction()
        correction.identification = .set(harmless)
        let before = given(SightingDecider.self, [try Samples.submitted()]).when(.correct(correction)).next
        correction.identification = .set(sensitive)
        let raised = try SightingDecider.decide(.correct(correction), before)
        guard case .corrected(let event)? = raised.events.first else {
            Issue.record("nothing was recorded: \(raised)")
            return
        }
        #expect(event.sensitivity == .set(.two) && event.taxon.isUnset && event.qualifier.isUnset)
    }

    @Test func geoprivacyHasEventsOfItsOwn() throws {
        var correction = try correction()
        correction.geoprivacy = .private
        let narrowed = SightingEvent.geoprivacyNarrowed(SightingGeoprivacyNarrowed(geoprivacy: .private))
        given(SightingDecider.self, [try Samples.submitted()]).when(.correct(correction)).then([narrowed])
        correction.captive = false
        var corrected = SightingCorrected()
        corrected.captive = false
        given(SightingDecider.self, [try Samples.submitted()]).when(.correct(correction))
            .then([.corrected(corrected), narrowed])
        correction.captive = nil
        correction.geoprivacy = .obscured
        given(SightingDecider.self, [try Samples.submitted(), narrowed]).when(.correct(correction))
            .then([.geoprivacyWidened(SightingGeoprivacyWidened(geoprivacy: .obscured))])
    }

    @Test func anothersSightingIsNotFound() throws {
        var correction = try correction()
        correction.observer = Samples.id(99)
        given(SightingDecider.self, [try Samples.submitted()]).when(.correct(correction)).thenRejected(.notFound)
        let withdrawal = WithdrawSighting(observer: Samples.id(99), reason: .mistake)
        given(SightingDecider.self, [try Samples.submitted()]).when(.withdraw(withdrawal)).thenRejected(.notFound)
        given(SightingDecider.self, [try Samples.imported()]).when(.withdraw(withdrawal)).thenRejected(.notFound)
        given(SightingDecider.self).when(.withdraw(withdrawal)).thenRejected(.notFound)
    }

    @Test func aSightingIsWithdrawnOnce() throws {
        let withdrawal = WithdrawSighting(observer: Samples.observer, reason: .privacy)
        let outcome = given(SightingDecider.self, [try Samples.submitted()]).when(.withdraw(withdrawal))
            .then([.withdrawn(SightingWithdrawn(reason: .privacy))])
        #expect(outcome.next.status == .withdrawn && outcome.next.withdrawal == .privacy)
        let withdrawn = [try Samples.submitted(), .withdrawn(SightingWithdrawn(reason: .privacy))]
        given(SightingDecider.self, withdrawn).when(.withdraw(withdrawal)).thenRejected(.withdrawn(.privacy))
        given(SightingDecider.self, withdrawn).when(.correct(try correction())).thenRejected(.withdrawn(.privacy))
    }

    @Test func whatWasTakenBackAsAMistakeCanStillBeHidden() throws {
        let mistaken = [try Samples.submitted(), .withdrawn(SightingWithdrawn(reason: .mistake))]
        given(SightingDecider.self, mistaken)
            .when(.withdraw(WithdrawSighting(observer: Samples.observer, reason: .privacy)))
            .then([.withdrawn(SightingWithdrawn(reason: .privacy))])
        given(SightingDecider.self, mistaken)
            .when(.withdraw(WithdrawSighting(observer: Samples.observer, reason: .mistake)))
            .thenRejected(.withdrawn(.mistake))
    }

    @Test func aRedactedSightingCanBeWithdrawnButNotCorrected() throws {
        let withdrawal = WithdrawSighting(observer: Samples.observer, reason: .mistake)
        let redacted = [try Samples.submitted(), SightingEvent.redacted(EveryEvent.redacted(SightingCorrected.type))]
        given(SightingDecider.self, redacted).when(.correct(try correction())).thenRejected(.redacted)
        given(SightingDecider.self, redacted).when(.withdraw(withdrawal))
            .then([.withdrawn(SightingWithdrawn(reason: .mistake))])
        given(SightingDecider.self, [.redacted(EveryEvent.redacted(SightingSubmitted.type))])
            .when(.withdraw(withdrawal)).thenRejected(.redacted)
    }
}
