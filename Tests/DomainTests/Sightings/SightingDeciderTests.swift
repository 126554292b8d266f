import Testing

@testable import Domain

struct SightingDeciderTests {
    private func correction() throws -> CorrectSighting {
        CorrectSighting(
            observer: Samples.observer, kept: try Samples.submission().content, receivedAt: Samples.now)
    }

    @Test func `a sighting is submitted`() throws {
        let outcome = given(SightingDecider.self).when(.submit(try Samples.submission()))
        outcome.then([try Samples.submitted()]).keeps([
            ContentWrite(event: 0, field: .notes, value: "two adults and a chick"),
            ContentWrite(event: 0, field: .verbatimName, value: "Western/Clark's Grebe"),
        ])
        #expect(outcome.next.status == .pending && outcome.next.sensitivity == .three)
        #expect(outcome.next.record?.details.count?.value == 3)
    }

    @Test func `an empty note is none`() throws {
        var submission = try Samples.submission()
        submission.content = SightingContent(notes: try Note(""))
        given(SightingDecider.self).when(.submit(submission)).keeps([])
    }

    @Test func `a sighting from the future is invalid`() throws {
        var submission = try Samples.submission()
        submission.details.observed = try Samples.observed("2026-05-02T00:20:00Z")
        let faults = Faults([Fault("/observedAt", RuleViolation(.range, "must not be in the future"))])
        given(SightingDecider.self).when(.submit(submission)).thenRejected(.invalid(faults))
        var correction = try correction()
        correction.changes.observed = submission.details.observed
        given(SightingDecider.self, [try Samples.submitted()]).when(.correct(correction)).thenRejected(.invalid(faults))
    }

    @Test func `an outing from the future is invalid, unless it is there already`() throws {
        var submission = try Samples.submission()
        let visit = try Visit(id: Samples.id(9), startedAt: Samples.instant("2030-01-01T00:00:00Z"))
        submission.details.visit = visit
        let faults = Faults([Fault("/visit/startedAt", RuleViolation(.range, "must not be in the future"))])
        given(SightingDecider.self).when(.submit(submission)).thenRejected(.invalid(faults))
        var correction = try correction()
        correction.changes.visit = .set(visit)
        given(SightingDecider.self, [try Samples.submitted()]).when(.correct(correction)).thenRejected(.invalid(faults))
        // Submitted before outings were checked: other changes are possible.
        var earlier = try Samples.submission()
        earlier.details.visit = visit
        let submitted = SightingEvent.submitted(SightingSubmitted(earlier, content: [.notes, .verbatimName]))
        correction.changes.visit = .unset
        correction.changes.count = .set(try IndividualCount(7))
        let corrected = given(SightingDecider.self, [submitted]).when(.correct(correction)).next
        #expect(corrected.record?.details.count?.value == 7)
    }

    @Test func `a submission has what only imports may lack`() throws {
        let alterations: [(String, (inout SightingDetails) -> Void)] = [
            ("/confidence", { $0.confidence = nil }), ("/licence", { $0.licence = nil }),
            ("/geoprivacy", { $0.geoprivacy = nil }), ("/protocol", { $0.surveyProtocol = nil }),
        ]
        for (pointer, alter) in alterations {
            var submission = try Samples.submission()
            alter(&submission.details)
            given(SightingDecider.self).when(.submit(submission))
                .thenRejected(.invalid(Faults([Fault(pointer, .required)])))
        }
    }

    @Test func `a stream holds one sighting`() throws {
        let submit = SightingCommand.submit(try Samples.submission())
        given(SightingDecider.self, [try Samples.submitted()]).when(submit).thenRejected(.alreadySubmitted)
        given(SightingDecider.self, [.redacted(EveryEvent.redacted(SightingSubmitted.type))])
            .when(submit).thenRejected(.alreadySubmitted)
    }

    @Test func `only real changes are corrections`() throws {
        let submission = try Samples.submission()
        var correction = try correction()
        let sighting = given(SightingDecider.self, [try Samples.submitted()])
        sighting.when(.correct(correction)).thenNothing()
        correction.identification = Change(initial: submission.identification)
        correction.changes = SightingChanges(from: nil, to: submission.details, isWhole: true)
        correction.content = submission.content
        sighting.when(.correct(correction)).thenNothing().keeps([])
        correction.changes.count = .cleared
        var expected = SightingCorrected()
        expected.changes.count = .cleared
        sighting.when(.correct(correction)).then([.corrected(expected)]).keeps([])
    }

    @Test func `texts are rewritten and erased beside the log`() throws {
        var correction = try correction()
        correction.content = SightingContent(
            notes: try Note(""), verbatimName: try VerbatimName("Clark's Grebe"))
        var expected = SightingCorrected()
        expected.content = [.notes, .verbatimName]
        given(SightingDecider.self, [try Samples.submitted()]).when(.correct(correction)).then([.corrected(expected)])
            .keeps([
                ContentWrite(event: 0, field: .notes, value: nil),
                ContentWrite(event: 0, field: .verbatimName, value: "Clark's Grebe"),
            ])
    }

    @Test func `another identification brings its own qualifier and sensitivity`() throws {
        var correction = try correction()
        correction.identification = .set(Identification(taxon: Samples.id(21)))
        var expected = SightingCorrected()
        expected.identification.taxon = .set(Samples.id(21))
        expected.identification.qualifier = .cleared
        expected.identification.sensitivity = .cleared
        let outcome = given(SightingDecider.self, [try Samples.submitted()]).when(.correct(correction))
        outcome.then([.corrected(expected)])
        #expect(outcome.next.record?.identification.sensitivity == nil)
        #expect(outcome.next.sensitivity == .three, "the most sensitive of all identifications stays")
        correction.identification = .cleared
        #expect(
            given(SightingDecider.self, [try Samples.submitted()]).when(.correct(correction)).next.record?
                .identification.taxon
                == nil)
    }

    @Test func `a more sensitive member of the same taxon is another identification`() throws {
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
        #expect(event.identification.sensitivity == .set(.two))
        #expect(event.identification.taxon.isUnset && event.identification.qualifier.isUnset)
    }

    @Test func `geoprivacy has events of its own`() throws {
        var correction = try correction()
        correction.changes.geoprivacy = .private
        let narrowed = SightingEvent.geoprivacyNarrowed(SightingGeoprivacyNarrowed(geoprivacy: .private))
        given(SightingDecider.self, [try Samples.submitted()]).when(.correct(correction)).then([narrowed])
        correction.changes.captive = false
        var corrected = SightingCorrected()
        corrected.changes.captive = false
        given(SightingDecider.self, [try Samples.submitted()]).when(.correct(correction))
            .then([.corrected(corrected), narrowed])
        correction.changes.captive = nil
        correction.changes.geoprivacy = .obscured
        given(SightingDecider.self, [try Samples.submitted(), narrowed]).when(.correct(correction))
            .then([.geoprivacyWidened(SightingGeoprivacyWidened(geoprivacy: .obscured))])
    }

    @Test func `geoprivacy is widened so often, and narrowed whenever it should be`() throws {
        let (narrowed, widened) = (
            SightingEvent.geoprivacyNarrowed(SightingGeoprivacyNarrowed(geoprivacy: .private)),
            SightingEvent.geoprivacyWidened(SightingGeoprivacyWidened(geoprivacy: .open))
        )
        let changes = Array(repeating: [narrowed, widened], count: SightingDecider.mostWidenings - 1).flatMap { $0 }
        var life = [try Samples.submitted()] + changes + [narrowed]
        var correction = try correction()
        correction.changes.geoprivacy = .open
        given(SightingDecider.self, life).when(.correct(correction)).then([widened])
        life.append(widened)
        correction.changes.geoprivacy = .private
        given(SightingDecider.self, life).when(.correct(correction)).then([narrowed])
        life.append(narrowed)
        correction.changes.geoprivacy = .open
        let most = RuleViolation.widenedTooOften(SightingDecider.mostWidenings)
        given(SightingDecider.self, life).when(.correct(correction))
            .thenRejected(.invalid(Faults([Fault("/geoprivacy", most)])))
    }

    @Test func `anothers sighting is not found`() throws {
        var correction = try correction()
        correction.observer = Samples.id(99)
        given(SightingDecider.self, [try Samples.submitted()]).when(.correct(correction)).thenRejected(.notFound)
        let withdrawal = WithdrawSighting(observer: Samples.id(99), reason: .mistake)
        given(SightingDecider.self, [try Samples.submitted()]).when(.withdraw(withdrawal)).thenRejected(.notFound)
        given(SightingDecider.self, [try Samples.imported()]).when(.withdraw(withdrawal)).thenRejected(.notFound)
        given(SightingDecider.self).when(.withdraw(withdrawal)).thenRejected(.notFound)
    }

    @Test func `a sighting is withdrawn once`() throws {
        let withdrawal = WithdrawSighting(observer: Samples.observer, reason: .privacy)
        let outcome = given(SightingDecider.self, [try Samples.submitted()]).when(.withdraw(withdrawal))
            .then([.withdrawn(SightingWithdrawn(reason: .privacy))])
        #expect(outcome.next.status == .withdrawn && outcome.next.withdrawal == .privacy)
        let withdrawn = [try Samples.submitted(), .withdrawn(SightingWithdrawn(reason: .privacy))]
        given(SightingDecider.self, withdrawn).when(.withdraw(withdrawal)).thenRejected(.withdrawn(.privacy))
        given(SightingDecider.self, withdrawn).when(.correct(try correction())).thenRejected(.withdrawn(.privacy))
    }

    @Test func `what was taken back as a mistake can still be hidden`() throws {
        let mistaken = [try Samples.submitted(), .withdrawn(SightingWithdrawn(reason: .mistake))]
        given(SightingDecider.self, mistaken)
            .when(.withdraw(WithdrawSighting(observer: Samples.observer, reason: .privacy)))
            .then([.withdrawn(SightingWithdrawn(reason: .privacy))])
        given(SightingDecider.self, mistaken)
            .when(.withdraw(WithdrawSighting(observer: Samples.observer, reason: .mistake)))
            .thenRejected(.withdrawn(.mistake))
    }

    @Test func `a redacted sighting can be withdrawn but not corrected`() throws {
        let withdrawal = WithdrawSighting(observer: Samples.observer, reason: .mistake)
        let redacted = [try Samples.submitted(), SightingEvent.redacted(EveryEvent.redacted(SightingCorrected.type))]
        given(SightingDecider.self, redacted).when(.correct(try correction())).thenRejected(.redacted)
        given(SightingDecider.self, redacted).when(.withdraw(withdrawal))
            .then([.withdrawn(SightingWithdrawn(reason: .mistake))])
        given(SightingDecider.self, [.redacted(EveryEvent.redacted(SightingSubmitted.type))])
            .when(.withdraw(withdrawal)).thenRejected(.redacted)
    }
}
