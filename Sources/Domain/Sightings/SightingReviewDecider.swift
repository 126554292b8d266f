// Decisions on the review of sightings. The rights of moderators are checked earlier, because they depend on another
// account.

extension SightingDecider {
    /// The event that a change of a judged value entails: the sighting is reviewed again.
    static func reopening(_ state: SightingState) -> [SightingEvent] {
        switch state.status {
        case .approved, .rejected: [.reopened(SightingReopened(review: nil))]
        case .pending, .withdrawn, .acceptedBySource, nil:
            state.review.firstOpinion == nil ? [] : [.reopened(SightingReopened(review: nil))]
        }
    }

    static func judge(
        _ command: JudgeSighting, _ state: SightingState
    ) throws(SightingRejection) -> Decision<SightingEvent> {
        _ = try judgeable(by: command.moderator, state)
        let faults = ReviewRules.faults(
            command.decision, hasReasons: !command.reasons.isEmpty, isOther: command.reasons.contains(.other),
            note: command.note)
        guard faults.isEmpty else { throw .invalid(faults) }
        let (stamp, content) = ReviewStamp.noting(command.note, by: command.moderator, batch: command.batch)
        let event = try self.event(of: command, stamp, state)
        return event.map { Decision(events: [$0], content: content) } ?? .nothing
    }

    /// The event of a decision; nil for one that repeats the present one while nothing is open.
    private static func event(
        of command: JudgeSighting, _ stamp: ReviewStamp, _ state: SightingState
    ) throws(SightingRejection) -> SightingEvent? {
        let review = state.review
        guard !review.isLeftToOthers(by: command.moderator) else { throw .otherModerator }
        switch command.decision {
        case .approve:
            return state.status == .approved && !review.isOpen ? nil : .approved(SightingApproved(review: stamp))
        case .reject:
            return try rejection(command, stamp, state)
        case .reopen:
            return state.status == .pending && review.firstOpinion == nil
                ? nil : .reopened(SightingReopened(review: stamp))
        case .ask:
            return .questionAsked(
                SightingQuestionAsked(
                    review: stamp, parkedUntil: command.judgedAt.adding(seconds: JudgeSighting.parking)))
        }
    }

    /// A rejection for "out of range" alone, or at the margin of a range, takes two moderators.
    private static func rejection(
        _ command: JudgeSighting, _ stamp: ReviewStamp, _ state: SightingState
    ) throws(SightingRejection) -> SightingEvent? {
        let takesTwo = command.isAtMargin || command.reasons.allSatisfy { $0 == .outOfRange }
        if takesTwo, command.batch != nil { throw .notInBatch }
        let review = state.review
        let rejected = SightingEvent.rejected(SightingRejected(review: stamp, reasons: command.reasons))
        if state.status == .rejected, review.reasons == command.reasons { return review.isOpen ? rejected : nil }
        guard takesTwo, review.firstOpinion == nil, review.appealedFrom == nil else { return rejected }
        return .secondOpinionAsked(SightingSecondOpinionAsked(review: stamp, reasons: command.reasons))
    }

    static func restore(
        _ command: RestoreDecision, _ state: SightingState
    ) throws(SightingRejection) -> Decision<SightingEvent> {
        _ = try judgeable(by: command.moderator, state)
        guard let last = state.review.last, last.review.batch == command.batch else { throw .changedSince }
        let stamp = ReviewStamp(moderator: command.moderator, restores: last.versionBefore)
        switch last.statusBefore {
        case .approved: return Decision(events: [.approved(SightingApproved(review: stamp))])
        case .rejected:
            return Decision(events: [.rejected(SightingRejected(review: stamp, reasons: last.before.reasons))])
        case .pending, .withdrawn, .acceptedBySource:
            return Decision(events: [.reopened(SightingReopened(review: stamp))])
        }
    }

    static func identify(
        _ command: IdentifySighting, _ state: SightingState
    ) throws(SightingRejection) -> Decision<SightingEvent> {
        let record =
            command.isModerator
            ? try judgeable(by: command.by, state) : try ownRecord(of: command.by, state)
        let given = command.identification
        let new = command.isModerator ? given : accepted(given, state) ?? given
        var changes = IdentificationChanges(from: record.identification, to: new)
        // Every identification counts for the sensitivity, not only the accepted one.
        changes.sensitivity =
            SensitivityCategory.isRaised(from: record.identification.sensitivity, to: new.sensitivity)
            ? .set(new.sensitivity ?? .four) : .unset
        if !changes.taxon.isUnset, changes.sensitivity.isUnset {
            changes.sensitivity = Change(from: record.identification.sensitivity, to: new.sensitivity)
        }
        let content = ContentWrite.optional(.remarks, command.remarks)
        let event = SightingEvent.identified(
            SightingIdentified(command, changes, content: content.map(\.field)))
        let isChanged = !changes.taxon.isUnset || !changes.qualifier.isUnset
        let reopened = isChanged && !command.isModerator ? reopening(state) : []
        return Decision(events: [event] + reopened, content: content)
    }

    /// The identification that is accepted once the observer or the source has given another one: a moderator's stays,
    /// and only the sensitivity of the other one counts.
    static func accepted(_ given: Identification?, _ state: SightingState) -> Identification? {
        guard state.review.isIdentifiedByModerator, var kept = state.record?.identification else { return given }
        kept.sensitivity = .mostSensitive(kept.sensitivity, given?.sensitivity)
        return kept
    }

    static func answer(_ command: SightingWords, _ state: SightingState) throws(SightingRejection) -> Decision<
        SightingEvent
    > {
        _ = try ownRecord(of: command.observer, state)
        guard state.review.parkedUntil != nil else { throw .nothingOpen }
        return Decision(
            events: [.answered(SightingAnswered(content: [.answer]))],
            content: ContentWrite.optional(.answer, command.text))
    }

    static func appeal(_ command: SightingWords, _ state: SightingState) throws(SightingRejection) -> Decision<
        SightingEvent
    > {
        _ = try ownRecord(of: command.observer, state)
        guard state.status == .rejected, !state.review.hasAppealed else { throw .nothingOpen }
        return Decision(
            events: [.appealed(SightingAppealed(content: [.appeal]))],
            content: ContentWrite.optional(.appeal, command.text))
    }

    static func hide(_ command: HideSighting, _ state: SightingState) throws(SightingRejection) -> Decision<
        SightingEvent
    > {
        _ = try judgeable(by: command.moderator, state)
        // Each once, however often it is named.
        let fields = [.notes, .verbatimName].filter(command.fields.contains)
        guard Set(fields) != Set(state.review.hidden) else { return .nothing }
        let (stamp, content) = ReviewStamp.noting(command.note, by: command.moderator)
        let event: SightingEvent =
            fields.isEmpty
            ? .unhidden(SightingUnhidden(review: stamp))
            : .hidden(SightingHidden(review: stamp, hiding: command.reason, fields: fields))
        return Decision(events: [event], content: content)
    }

    static func amend(_ command: AmendSighting, _ state: SightingState) throws(SightingRejection) -> Decision<
        SightingEvent
    > {
        let old = try judgeable(by: command.moderator, state).details
        var corrected = SightingCorrected()
        corrected.changes = SightingChanges(from: old, to: SightingDetails(command.changes, over: old) ?? old)
        return corrected.isEmpty ? .nothing : Decision(events: [.corrected(corrected)])
    }

    static func release(_ command: ReleaseSighting, _ state: SightingState) throws(SightingRejection) -> Decision<
        SightingEvent
    > {
        let record = try judgeable(by: command.moderator, state)
        let present = SensitivityCategory.mostSensitive(state.sensitivity, command.inherited)
        guard command.category != present else { return .nothing }
        // Only the taxon's category counts if it is certain: a former name may have been more sensitive.
        let isCertain = record.identification.taxon != nil && record.identification.qualifier == nil
        let own = SensitivityCategory.mostSensitive(
            isCertain ? nil : record.identification.sensitivity, command.taxonCategory)
        guard SensitivityCategory.isRaised(from: command.category, to: present),
            !SensitivityCategory.isRaised(from: command.category, to: own)
        else {
            let rule = "must be less sensitive than the present one, but not than that of the present identification"
            throw .invalid(Faults([Fault("/category", RuleViolation(.range, rule))]))
        }
        let (stamp, content) = ReviewStamp.noting(command.note, by: command.moderator)
        return Decision(
            events: [.released(SightingReleased(review: stamp, released: command.category))], content: content)
    }

    static func flag(_ command: RaiseFlag, _ state: SightingState) throws(SightingRejection) -> Decision<
        SightingEvent
    > {
        // Others may see an older state, and under another id: a repetition, and a flag on a sighting that is gone
        // since, get the same answer as a first flag.
        guard let record = try? present(state), state.review.flags[command.by] == nil else { return .nothing }
        guard record.observer != command.by else { throw .ownSighting }
        let (stamp, content) = command.recorded
        return Decision(events: [.flagged(SightingFlagged(flag: stamp))], content: content)
    }

    static func orderPhotos(_ command: OrderPhotos, _ state: SightingState) throws(SightingRejection) -> Decision<
        SightingEvent
    > {
        _ = try ownRecord(of: command.observer, state)
        guard Set(command.photos) == command.present, command.photos.count == command.present.count else {
            throw .invalid(
                Faults([Fault("/ids", RuleViolation(.conflict, "must be the ids of all photos, each once"))]))
        }
        guard command.photos != state.review.photos else { return .nothing }
        return Decision(events: [.photosOrdered(SightingPhotosOrdered(photos: command.photos))])
    }

    /// A record that is neither withdrawn nor redacted.
    private static func present(_ state: SightingState) throws(SightingRejection) -> SightingRecord {
        guard let status = state.status else { throw .notFound }
        guard status != .withdrawn else { throw .withdrawn(state.withdrawal ?? .mistake) }
        guard !state.isRedacted, let record = state.record else { throw .redacted }
        return record
    }

    /// A record that this moderator may judge.
    private static func judgeable(
        by moderator: AccountID, _ state: SightingState
    ) throws(SightingRejection) -> SightingRecord {
        let record = try present(state)
        guard record.observer != moderator else { throw .ownSighting }
        return record
    }
}
