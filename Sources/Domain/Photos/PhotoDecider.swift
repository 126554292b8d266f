/// Decides photo commands. The rights of moderators are checked earlier, because they depend on another account.
package enum PhotoDecider: Decider {
    /// - Throws: ``PhotoRejection``.
    package static func decide(
        _ command: PhotoCommand, _ state: PhotoState
    ) throws(PhotoRejection) -> Decision<PhotoEvent> {
        switch command {
        case .upload(let upload): return try self.upload(upload, state)
        case .describe(let description): return try describe(description, state)
        case .delete(let account): return try delete(account, state)
        case .judge(let judgement): return try judge(judgement, state)
        case .restore(let restoration): return try restore(restoration, state)
        case .hide(let hiding): return try hide(hiding, state)
        case .unhide(let showing): return try unhide(showing, state)
        case .flag(let flag): return try self.flag(flag, state)
        case .render(let renditions, let likeness):
            _ = try present(state)
            return state.isRendered(as: renditions, likeness)
                ? .nothing : Decision(events: [.rendered(PhotoRendered(renditions: renditions, likeness: likeness))])
        }
    }

    private static func upload(
        _ command: UploadPhoto, _ state: PhotoState
    ) throws(PhotoRejection) -> Decision<PhotoEvent> {
        guard state.status == nil else { throw .alreadyUploaded }
        var content = ContentWrite.optional(.altText, command.altText)
        if let capture = command.capture { content.append(ContentWrite(event: 0, field: .capture, value: capture)) }
        return Decision(
            events: [.uploaded(PhotoUploaded(command, content: content.map(\.field)))], content: content,
            reservations: [command.reservation])
    }

    private static func describe(
        _ command: DescribePhoto, _ state: PhotoState
    ) throws(PhotoRejection) -> Decision<PhotoEvent> {
        try checkOwner(command.observer, state)
        _ = try present(state)
        let licence = command.licence == state.licence ? nil : command.licence
        let text = Change(from: command.kept?.text, to: command.altText?.text)
        let content = text.isUnset ? [] : [ContentWrite(event: 0, field: .altText, value: text.value)]
        guard licence != nil || !content.isEmpty else { return .nothing }
        return Decision(
            events: [.described(PhotoDescribed(licence: licence, content: content.map(\.field)))], content: content)
    }

    private static func delete(
        _ account: AccountID, _ state: PhotoState
    ) throws(PhotoRejection) -> Decision<PhotoEvent> {
        try checkOwner(account, state)
        guard state.status != .deleted else { throw .gone }
        return Decision(events: [.deleted(PhotoDeleted())])
    }

    private static func flag(_ command: RaiseFlag, _ state: PhotoState) throws(PhotoRejection) -> Decision<PhotoEvent> {
        // As for sightings.
        guard let upload = try? present(state), !state.flaggedBy.contains(command.by) else { return .nothing }
        guard upload.observer != command.by else { throw .ownPhoto }
        let (stamp, content) = command.recorded
        return Decision(events: [.flagged(PhotoFlagged(flag: stamp))], content: content)
    }

    /// The upload of a photo that is neither deleted nor redacted.
    fileprivate static func present(_ state: PhotoState) throws(PhotoRejection) -> PhotoUploaded {
        guard state.status != nil else { throw .notFound }
        guard let upload = state.upload, state.status != .deleted, !state.isRedacted else { throw .gone }
        return upload
    }

    private static func checkOwner(_ account: AccountID, _ state: PhotoState) throws(PhotoRejection) {
        guard let upload = state.upload else { throw state.isRedacted ? .gone : .notFound }
        guard upload.observer == account else { throw .notFound }
    }
}

// MARK: - Moderation

extension PhotoDecider {
    private static func checkJudgeable(by moderator: AccountID, _ state: PhotoState) throws(PhotoRejection) {
        guard try present(state).observer != moderator else { throw .ownPhoto }
    }

    /// A decision that repeats the present one is none, unless flags are open.
    fileprivate static func judge(
        _ command: JudgePhoto, _ state: PhotoState
    ) throws(PhotoRejection) -> Decision<PhotoEvent> {
        try checkJudgeable(by: command.moderator, state)
        try command.check()
        let (review, content) = ReviewStamp.noting(command.note, by: command.moderator, batch: command.batch)
        switch command.decision {
        case .approve:
            guard state.status != .approved || state.hasOpenFlags else { return .nothing }
            return Decision(events: [.approved(PhotoApproved(review: review))], content: content)
        case .reopen:
            guard state.status != .pending else { return .nothing }
            return Decision(events: [.reopened(PhotoReopened(review: review))], content: content)
        case .reject:
            guard state.status != .rejected || state.reasons != command.reasons || state.hasOpenFlags else {
                return .nothing
            }
            return Decision(events: rejection(review, command.reasons, state), content: content)
        case .ask:
            throw .invalid(
                Faults([Fault("/decision", RuleViolation(.vocabulary, "must not be ask: ask about the sighting"))]))
        }
    }

    /// The rejection, and the hiding that some reasons entail.
    private static func rejection(
        _ review: ReviewStamp, _ reasons: [PhotoReason], _ state: PhotoState
    ) -> [PhotoEvent] {
        let rejected = PhotoEvent.rejected(PhotoRejected(review: review, reasons: reasons))
        guard state.hiding == nil, let hiding = reasons.lazy.compactMap(\.hiding).first else { return [rejected] }
        let stamp = ReviewStamp(moderator: review.moderator, batch: review.batch)
        return [rejected, .hidden(PhotoHidden(review: stamp, hiding: hiding))]
    }

    fileprivate static func restore(
        _ command: RestoreDecision, _ state: PhotoState
    ) throws(PhotoRejection) -> Decision<PhotoEvent> {
        try checkJudgeable(by: command.moderator, state)
        guard let last = state.last, last.review.batch == command.batch else { throw .changedSince }
        let review = ReviewStamp(moderator: command.moderator, restores: last.versionBefore)
        var events: [PhotoEvent]
        switch last.before {
        case .approved: events = [.approved(PhotoApproved(review: review))]
        case .rejected: events = [.rejected(PhotoRejected(review: review, reasons: last.reasonsBefore))]
        case .pending, .deleted: events = [.reopened(PhotoReopened(review: review))]
        }
        if state.hiding != nil, last.hidingBefore == nil {
            events.append(.unhidden(PhotoUnhidden(review: ReviewStamp(moderator: command.moderator))))
        }
        return Decision(events: events)
    }

    fileprivate static func hide(
        _ command: HidePhoto, _ state: PhotoState
    ) throws(PhotoRejection) -> Decision<PhotoEvent> {
        try checkJudgeable(by: command.moderator, state)
        guard state.hiding != command.reason else { return .nothing }
        let (review, content) = ReviewStamp.noting(command.note, by: command.moderator)
        return Decision(events: [.hidden(PhotoHidden(review: review, hiding: command.reason))], content: content)
    }

    fileprivate static func unhide(
        _ command: UnhidePhoto, _ state: PhotoState
    ) throws(PhotoRejection) -> Decision<PhotoEvent> {
        try checkJudgeable(by: command.moderator, state)
        guard state.hiding != nil else { return .nothing }
        let (review, content) = ReviewStamp.noting(command.note, by: command.moderator)
        return Decision(events: [.unhidden(PhotoUnhidden(review: review))], content: content)
    }
}

extension JudgePhoto {
    /// - Throws: ``PhotoRejection/invalid(_:)``.
    fileprivate func check() throws(PhotoRejection) {
        let faults = ReviewRules.faults(
            decision, hasReasons: !reasons.isEmpty, isOther: reasons.contains(.other), note: note)
        guard faults.isEmpty else { throw .invalid(faults) }
    }
}
