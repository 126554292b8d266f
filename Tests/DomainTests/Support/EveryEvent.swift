@testable import Domain

/// One event of every type with every member present.
enum EveryEvent {
    static let redaction = PayloadRedacted(position: 17, reason: .place)

    static func redacted(_ type: String) -> RedactedEvent {
        RedactedEvent(type: type, tombstone: Tombstone(reason: .legal, sha256: Samples.fingerprint))
    }

    /// The events of a kind of stream.
    static func events(of stream: StreamKind) throws -> [any DomainEvent] {
        switch stream {
        case .account: return try account()
        case .dataset: return try dataset()
        case .export: return try export()
        case .photo: return try photo()
        case .targets: return try targets()
        case .sighting: return try sighting()
        case .taxon: return try taxon()
        }
    }

    static func account() throws -> [AccountEvent] {
        let decision = try AccountDecider.decide(.register(try Samples.registration()), AccountState())
        return decision.events + (try accountChanges()) + [
            .roleGranted(RoleGranted(role: .moderator)),
            .roleRevoked(RoleRevoked(role: .moderator, reason: .inactive)),
            .emailVerified(EmailVerified()), .emailChanged(EmailChanged()), .passwordChanged(PasswordChanged()),
            .suspended(AccountSuspended(reason: .spam, until: Samples.now)),
            .reinstated(AccountReinstated(reason: .appealed)),
            .displayNameRemoved(DisplayNameRemoved(reason: .offensive)), .erased(AccountErased(sightings: .keep)),
            .payloadRedacted(redaction), .redacted(redacted(AccountRegistered.type)),
        ]
    }

    private static func accountChanges() throws -> [AccountEvent] {
        let old = AccountSettings(
            licence: .by, geoprivacy: .open, attribution: .displayName, language: .english)
        let new = AccountSettings(
            state: try StateCode("US-WA"), region: try RegionCode("pacific-northwest"), licence: .cc0,
            geoprivacy: .obscured, attribution: .displayName, language: try LanguageTag("pt-BR"))
        return [
            .changed(AccountChanged(from: old, to: new, content: [.name, .displayName])),
            .changed(AccountChanged(from: new, to: old, content: [])),
            .narrowed(AccountNarrowed(attribution: .anonymous, publicGallery: false)),
            .widened(AccountWidened(attribution: .displayName, publicGallery: true)),
            .namesForgotten(AccountNamesForgotten(content: [.name, .displayName])),
        ]
    }

    static func dataset() throws -> [DatasetEvent] {
        [
            .registered(DatasetRegistered(licence: .by, republish: .yes)),
            .described(DatasetDescribed(content: [.title, .publisher, .citation, .rightsHolder])),
            .importStarted(ImportStarted(batch: Samples.id(41), file: Samples.fingerprint)),
            .importFinished(
                ImportFinished(
                    batch: Samples.id(41), accepted: 5, known: 4, corrected: 3, withdrawn: 2, rejected: 1)),
            .importUndone(ImportUndone(batch: Samples.id(41), withdrawn: 5)),
            .importUndone(ImportUndone(batch: Samples.id(41), withdrawn: 5, setBack: 3, broughtBack: 2, left: 1)),
            .payloadRedacted(redaction), .redacted(redacted(DatasetRegistered.type)),
        ]
    }

    static func sighting() throws -> [SightingEvent] {
        [
            try Samples.submitted(), try Samples.imported(), .corrected(try correction()),
            .imported(undone(SightingImported(try Samples.row(), before: nil), \.undo)),
            .corrected(undone(try correction(), \.undo)), .corrected(try movedToBorder()),
            .geoprivacyNarrowed(SightingGeoprivacyNarrowed(geoprivacy: .private)),
            .geoprivacyWidened(SightingGeoprivacyWidened(geoprivacy: .open)),
            .withdrawn(SightingWithdrawn(reason: .undone, batch: Samples.id(41))),
            .withdrawn(SightingWithdrawn(reason: .undone, batch: Samples.id(41), undo: undo)),
        ] + (try reviews()) + [
            .payloadRedacted(redaction), .redacted(redacted(SightingCorrected.type)),
        ]
    }

    private static func undone<Payload>(_ payload: Payload, _ stamp: WritableKeyPath<Payload, UndoStamp?>) -> Payload {
        var payload = payload
        payload[keyPath: stamp] = undo
        return payload
    }

    /// A place has either a distance to its state or another state.
    private static func movedToBorder() throws -> SightingCorrected {
        var place = try Samples.place()
        (place.basis, place.distanceMetres) = (.border, nil)
        (place.borderState, place.borderRegion) = (try StateCode("US-ID"), try RegionCode("rockies"))
        var correction = SightingCorrected()
        correction.changes.place = place
        return correction
    }

    static let undo = UndoStamp(batch: Samples.id(41), restores: 3)
    static let stamp = ReviewStamp(moderator: Samples.id(5), batch: Samples.id(50), content: [.decisionNote])
    static let undoing = ReviewStamp(moderator: Samples.id(5), restores: 3)
    static let flag = FlagStamp(by: Samples.id(6), reason: .wrongTaxon, taxon: Samples.id(21), content: [.flagNote])

    static func reviews() throws -> [SightingEvent] {
        var changes = IdentificationChanges()
        changes.taxon = .set(Samples.id(21))
        changes.qualifier = .set(.cf)
        changes.sensitivity = .set(.three)
        let opinion = IdentifySighting(
            by: Samples.id(5), isModerator: true, identification: Identification(taxon: Samples.id(21), qualifier: .cf))
        return [
            .approved(SightingApproved(review: stamp)),
            .rejected(SightingRejected(review: stamp, reasons: [.wrongPlace, .other])),
            .secondOpinionAsked(SightingSecondOpinionAsked(review: stamp, reasons: [.outOfRange])),
            .reopened(SightingReopened(review: stamp)), .reopened(SightingReopened(review: undoing)),
            .reopened(SightingReopened(review: nil, restores: 3)),
            .questionAsked(SightingQuestionAsked(review: stamp, parkedUntil: Samples.now)),
            .answered(SightingAnswered(content: [.answer])), .appealed(SightingAppealed(content: [.appeal])),
            .identified(SightingIdentified(opinion, changes, content: [.remarks])),
            .hidden(SightingHidden(review: stamp, hiding: .personalData, fields: [.notes])),
            .unhidden(SightingUnhidden(review: stamp)), .released(SightingReleased(review: stamp, released: .four)),
            .flagged(SightingFlagged(flag: flag)),
            .photosOrdered(SightingPhotosOrdered(photos: [Samples.id(120)])),
        ]
    }

    static func photo() throws -> [PhotoEvent] {
        let upload = try Samples.upload()
        let uploaded = try PhotoDecider.decide(.upload(upload), PhotoState()).events
        return uploaded + [
            .described(PhotoDescribed(licence: .cc0, content: [.altText])), .approved(PhotoApproved(review: stamp)),
            .rejected(PhotoRejected(review: stamp, reasons: [.notOwnWork, .other])),
            .reopened(PhotoReopened(review: stamp)), .approved(PhotoApproved(review: undoing)),
            .hidden(PhotoHidden(review: stamp, hiding: .notOwnWork)), .unhidden(PhotoUnhidden(review: stamp)),
            .flagged(PhotoFlagged(flag: flag)),
            .rendered(PhotoRendered(renditions: upload.image.renditions, likeness: upload.image.likeness)),
            .deleted(PhotoDeleted()), .payloadRedacted(redaction), .redacted(redacted(PhotoUploaded.type)),
        ]
    }

    static func targets() throws -> [TargetsEvent] {
        let score = TargetScore(records: 7, observers: 4, seasons: 3, findability: 0.25, recency: 0.5)
        let target = ChosenTarget(
            id: Samples.id(141), taxon: Samples.id(21), basis: .records, difficulty: .easy, score: score)
        let (region, week) = (try RegionCode("alaska"), try ISOWeek("2026-W18"))
        return [
            .planned(TargetsPlanned(region: region, week: week, taxa: [Samples.id(21)])),
            .chosen(
                TargetsChosen(
                    region: region, week: week, zone: try ZoneName("America/Anchorage"), startsAt: Samples.now,
                    endsAt: Samples.now, asOf: 17, rules: 1, activeObservers: 12, targets: [target],
                    relaxed: Relaxation.allCases)),
            .missed(TargetsMissed(region: region, week: week)),
            .replaced(TargetReplaced(target: target.id, replacement: target, reason: .absent)),
            .payloadRedacted(redaction), .redacted(redacted(TargetsChosen.type)),
        ]
    }

    static func export() throws -> [ExportEvent] {
        let account = Samples.observer
        return [
            .requested(ExportRequested(account: account, query: try exportQuery())),
            .joined(ExportJoined(account: account)), .left(ExportLeft(account: account)),
            .cancelled(ExportCancelled(account: account)), .failed(ExportFailed(reason: .tooLarge)),
            .reopened(ExportReopened(account: account)), .made(try exportMade()),
            .restricted(ExportRestricted(revision: 1)),
            .payloadRedacted(redaction), .redacted(redacted(ExportRequested.type)),
        ]
    }

    static func exportQuery() throws -> ExportQuery {
        let filter = RecordFilter(
            taxon: Samples.id(20), kind: .bird, region: try RegionCode("alaska"), state: try StateCode("US-AK"),
            country: try CountryCode("US"), box: try BoundingBox(west: -170, south: 50.5, east: -130, north: 72),
            from: try CivilDate("2020-01-01"), to: try CivilDate("2026-04-30"),
            statuses: [.approved, .acceptedBySource],
            minConfidence: try Confidence(5), maxUncertainty: try UncertaintyMetres(1000), hasPhoto: true,
            captive: false,
            dataset: .one(Samples.id(40)))
        return ExportQuery(
            format: .dwca, filter: filter, day: try CivilDate("2026-05-01"), pin: ExportPin(known: 17, guarded: 12),
            outputVersion: 1, site: Samples.fingerprint,
            ranges: RangeTerms(
                taxa: [Samples.id(20)], period: .fiveYears, end: .south, side: try CellSide(50), withPrompted: true,
                without: [Samples.id(60)]))
    }

    private static func exportMade() throws -> ExportMade {
        ExportMade(
            revision: 1, moment: ExportMoment(known: 17, shown: 19, guarded: 12, settled: 18), rows: 3, bytes: 4096,
            sha256: Samples.fingerprint,
            members: [
                ExportMember(name: try MemberName("occurrence.txt"), bytes: 2048, sha256: Samples.fingerprint)
            ],
            licences: [LicensedRows(licence: .cc0, rows: 2), LicensedRows(licence: .by, rows: 1)],
            datasets: [DatasetRows(id: Samples.id(40), rows: 2)],
            leftOut: ExportOmissions(noLicence: 4, notRepublished: 5, unidentified: 6), generalised: 1,
            replacedCharacters: 7, polygons: try PolygonSetCode("ne-50m-v1"), software: try SoftwareName("Skein 0.1.0"))
    }

    static func correction() throws -> SightingCorrected {
        var correction = SightingCorrected()
        correction.identification.taxon = .set(Samples.id(21))
        correction.identification.qualifier = .set(.cf)
        correction.identification.sensitivity = .set(.one)
        correction.changes.count = .set(try IndividualCount(12))
        correction.changes.confidence = try Confidence(9)
        correction.changes.observed = try Samples.observed("2026-05")
        correction.changes.coordinate = try Coordinate(latitude: 48, longitude: -123.25)
        correction.changes.uncertainty = .set(try UncertaintyMetres(0.5))
        correction.changes.place = try Samples.place()
        correction.changes.captive = false
        correction.changes.licence = .set(.byNonCommercial)
        correction.changes.visit = .set(try Samples.visit(10))
        correction.changes.surveyProtocol = .stationary
        correction.occurrence = Samples.fingerprint
        correction.batch = Samples.id(42)
        correction.recorder = .set(Samples.id(44))
        correction.rowVisit = .set(RowVisit(id: Samples.id(45), isComplete: true))
        correction.content = [.notes, .verbatimName]
        return correction
    }

    static func taxon() throws -> [TaxonEvent] {
        let text = try PublishedText("Zaunkönig \"winter wren\" \\ \u{1F426}")
        let english = CommonName(language: .english, name: try PublishedText("Pacific Wren"))
        return [
            .added(
                TaxonAdded(
                    scientificName: try PublishedText("Troglodytes pacificus"), rank: .species, parent: Samples.id(19),
                    kind: .bird, authorship: try PublishedText("Baird, 1864"), description: text, link: text,
                    code: try PublishedText("PAWR"), names: [english],
                    synonyms: [try PublishedText("Nannus pacificus")])),
            .named(TaxonNamed(english)), .synonymAdded(TaxonSynonymAdded(name: text)),
            .moved(TaxonMoved(parent: Samples.id(18))),
            .described(TaxonDescribed(description: .set(text), link: .set(text), authorship: .set(text))),
            .sensitivitySet(
                TaxonSensitivitySet(category: .two, reason: text, source: text, everydayNames: [text])),
            .payloadRedacted(redaction), .redacted(redacted(TaxonAdded.type)),
        ]
    }
}
