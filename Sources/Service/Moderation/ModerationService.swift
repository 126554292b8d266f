package import Domain
import EventLog
package import FoundationEssentials
import PhotoStore
package import ReadModels
import Vault

/// Decides about sightings and photos for moderators, whose role has been checked.
package struct ModerationService: Sendable {
    let store: StreamStore
    let contents: ContentStore
    let photos: PhotoService
    let sightings: SightingService
    let claims: Claims
    let exactReads: ExactReads
    let evidence: EvidenceQueries
    let signer: CommandSigner
    let now: @Sendable () -> Instant

    /// A moderator's decision, with its reasons and a note.
    package struct Verdict<Reason: Vocabulary>: Sendable {
        package var decision: ReviewDecision
        package var reasons: [Reason]
        package var note: Remarks?

        package init(decision: ReviewDecision, reasons: [Reason] = [], note: Remarks? = nil) {
            self.decision = decision
            self.reasons = reasons
            self.note = note
        }

        /// For the fingerprint: the same for equal verdicts.
        fileprivate var canonical: [UInt8] {
            let reasons = reasons.map(\.rawValue).joined(separator: ",")
            return Array("\(decision.rawValue)\u{0}\(reasons)\u{0}\(note?.text ?? "")".utf8)
        }
    }

    /// Decides about a sighting.
    /// - Throws: ``ModerationRefusal``, ``CommandError``, `SightingRejection`; what the database throws.
    package func judge(
        _ id: SightingID, _ verdict: Verdict<SightingReason>, ifVersions: Set<Int>?, by moderator: AccountID, key: UUID
    ) async throws -> ReviewedSighting {
        let command = signer.identity(
            account: moderator.uuid, command: "JudgeSighting", target: id.uuid, ifVersions: ifVersions, key: key,
            request: verdict.canonical, actor: moderator.uuid)
        let outcome: Outcome<SightingState> = try await store.change(id.uuid, ifVersions: ifVersions, command) {
            stored in
            try await checkClaim(.sighting, id.uuid, by: moderator)
            let isAtMargin =
                verdict.decision == .reject
                ? try await evidence.evidence(for: [id])[id]?.isAtMargin ?? false : false
            return try SightingDecider.decide(
                .judge(
                    JudgeSighting(
                        moderator: moderator, decision: verdict.decision, reasons: verdict.reasons,
                        note: verdict.note, isAtMargin: isAtMargin, judgedAt: now())), stored.state)
        }
        try await claims.end(ReviewItem.Subject.sighting.rawValue, id.uuid, of: moderator)
        return try await reviewed(outcome.stored)
    }

    /// Decides about a photo.
    /// - Throws: ``ModerationRefusal``, ``CommandError``, `PhotoRejection`; what the database throws.
    package func judge(
        _ id: PhotoID, _ verdict: Verdict<PhotoReason>, ifVersions: Set<Int>?, by moderator: AccountID, key: UUID
    ) async throws -> OwnedPhoto {
        let command = signer.identity(
            account: moderator.uuid, command: "JudgePhoto", target: id.uuid, ifVersions: ifVersions, key: key,
            request: verdict.canonical, actor: moderator.uuid)
        let outcome: Outcome<PhotoState> = try await store.change(id.uuid, ifVersions: ifVersions, command) { stored in
            try await checkClaim(.photo, id.uuid, by: moderator)
            return try PhotoDecider.decide(
                .judge(
                    JudgePhoto(
                        moderator: moderator, decision: verdict.decision, reasons: verdict.reasons,
                        note: verdict.note)), stored.state)
        }
        try await claims.end(ReviewItem.Subject.photo.rawValue, id.uuid, of: moderator)
        return try await photos.photo(outcome.stored)
    }

    private func checkClaim(_ subject: ReviewItem.Subject, _ id: UUID, by moderator: AccountID) async throws {
        if try await claims.isClaimed(subject.rawValue, id, byOthersThan: moderator, at: now()) {
            throw ModerationRefusal.claimed
        }
    }

    /// A sighting with its exact place, in its present state. The reading is noted where others see less.
    /// - Throws: ``CommandError/notFound``, ``CommandError/gone``; what the database throws.
    package func sighting(_ id: SightingID, for moderator: AccountID) async throws -> ReviewedSighting {
        guard let stored: Stored<SightingState> = try await store.load(id.uuid) else { throw CommandError.notFound }
        let sighting = try await reviewed(stored)
        try await note([sighting.finding], readBy: moderator)
        return sighting
    }

    /// A photo in its present state.
    /// - Throws: ``CommandError/notFound``, ``CommandError/gone``; what the database throws.
    package func photo(_ id: PhotoID) async throws -> OwnedPhoto {
        try await photos.photo(try await stored(id))
    }

    private func stored(_ id: PhotoID) async throws -> Stored<PhotoState> {
        guard let stored: Stored<PhotoState> = try await store.load(id.uuid) else { throw CommandError.notFound }
        return stored
    }

    /// The file of a photo.
    /// - Throws: ``CommandError/notFound``, ``CommandError/gone``; what the database or the store throws.
    package func file(_ id: PhotoID, _ version: PhotoVersion) async throws -> PhotoFile {
        try await PhotoFile(try await stored(id), version, photos.photos)
    }

    /// Notes the reading of exact places that everyone else sees generalised, or not at all.
    func note(_ findings: [Finding], readBy moderator: AccountID) async throws {
        let hidden = findings.filter { $0.publicID != $0.id }.map(\.id)
        try await exactReads.note(hidden, by: moderator, on: now().date())
    }

    private func reviewed(_ stored: Stored<SightingState>) async throws -> ReviewedSighting {
        let content = try await contents.content(of: stored.id)
        var finding = try await sightings.finding(
            stored, notes: content[.notes], verbatimName: content[.verbatimName], suggesting: false)
        let publicID = try await sightings.publicIDs.id(of: finding.id, since: stored.position)
        if publicID.isKnown { finding.publicID = publicID.id }
        return ReviewedSighting(
            finding: finding, review: stored.state.review,
            evidence: try await evidence.evidence(for: [finding.id])[finding.id])
    }
}

/// A sighting under review, as moderators see it.
package struct ReviewedSighting: Sendable {
    package var finding: Finding
    package var review: SightingReview
    /// nil while the read model does not have the sighting.
    package var evidence: SightingEvidence?
}

/// Why a moderator's command is not carried out, other than by the rules of the stream.
package enum ModerationRefusal: Error, Equatable, Sendable {
    /// Another moderator has claimed the item.
    case claimed
}
