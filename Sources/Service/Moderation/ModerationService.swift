package import Domain
import EventLog
import FoundationEssentials
import PhotoStore
package import ReadModels
import Vault

/// Decides on sightings and photos for moderators, whose role has been checked.
package struct ModerationService: Sendable {
    let store: StreamStore
    let contents: ContentStore
    let conversations: ReviewConversations
    let photos: PhotoService
    let sightings: SightingService
    let claims: Claims
    let audit: PlaceAudit
    let evidence: EvidenceQueries
    let months: MonthEnds
    let log: LogState
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
        var canonical: CanonicalText {
            CanonicalText(decision.rawValue, note?.typed) + CanonicalText(reasons.map(\.rawValue))
        }
    }

    /// Why texts or a photo are hidden.
    package struct Hiding: Sendable {
        package var reason: HidingReason
        package var note: Remarks?

        package init(reason: HidingReason, note: Remarks? = nil) {
            self.reason = reason
            self.note = note
        }

        /// For the fingerprint: the same for equal requests.
        var canonical: CanonicalText { CanonicalText(reason.rawValue, note?.typed) }
    }

    func checkClaim(_ subject: ReviewItem.Subject, _ id: UUID, by moderator: AccountID) async throws {
        if try await claims.isClaimed(subject.rawValue, id, byOthersThan: moderator, at: now()) {
            throw ModerationRejection.claimed
        }
    }

    func endClaim(_ subject: ReviewItem.Subject, _ id: UUID, at version: Int, by moderator: AccountID) async throws {
        try await claims.decided(
            Claims.Item(subject: subject.rawValue, id: id, version: version), by: moderator, at: now())
    }

    /// A sighting with its exact place, in its present state. The reading is noted where others see less.
    /// - Throws: ``CommandError/notFound``, ``CommandError/gone``; what the database throws.
    package func sighting(_ id: SightingID, for moderator: AccountID) async throws -> ReviewedSighting {
        try await reviewed(try await stored(id), for: moderator)
    }

    /// - Throws: ``CommandError/gone`` also for a sighting that was withdrawn for privacy.
    private func stored(_ id: SightingID) async throws -> Stored<SightingState> {
        guard let stored: Stored<SightingState> = try await store.load(id.uuid) else { throw CommandError.notFound }
        guard stored.state.record != nil, stored.state.status != nil, !stored.state.isWithdrawnForPrivacy else {
            throw CommandError.gone
        }
        return stored
    }

    /// A photo in its present state, with the time of its upload. The reading is noted as that of its sighting is.
    /// - Throws: ``CommandError/notFound``, ``CommandError/gone``; what the database throws.
    package func photo(_ id: PhotoID, for moderator: AccountID) async throws -> ReviewedPhoto {
        try await reviewed(try await stored(id), for: moderator)
    }

    private func stored(_ id: PhotoID) async throws -> Stored<PhotoState> {
        guard let stored: Stored<PhotoState> = try await store.load(id.uuid) else { throw CommandError.notFound }
        return stored
    }

    /// The file of a photo. An original may hold the place where it was taken, so reading it is noted as reading its
    /// sighting is.
    /// - Throws: ``CommandError/notFound``, ``CommandError/gone``; what the database or the store throws.
    package func file(
        _ id: PhotoID, _ version: PhotoVersion, for moderator: AccountID
    ) async throws -> PhotoFile {
        let photo = try await stored(id)
        let sighting = try await photos.sighting(of: photo)
        let file = try PhotoFile(photo, version, photos.photos)
        if version == .original, let sighting { try await audit.note(sighting, readBy: moderator) }
        return file
    }

    /// Records that a moderator reads the history of a sighting, which has its exact places.
    /// - Throws: ``CommandError/notFound``, ``CommandError/gone``; what the database throws.
    package func noteHistory(of id: SightingID, readBy moderator: AccountID) async throws {
        try await audit.noteHistory(of: try await stored(id), readBy: moderator)
    }

    /// Notes the reading where others see less.
    func reviewed(_ stored: Stored<SightingState>, for moderator: AccountID) async throws -> ReviewedSighting {
        let words = try await conversations.words(of: [stored.id], upTo: stored.position)
        guard let sighting = try await reviewed([stored], words, for: moderator).first else { throw CommandError.gone }
        return sighting
    }

    /// Notes the reading where others see less of its sighting: the time of an upload is that of the sighting.
    func reviewed(_ stored: Stored<PhotoState>, for moderator: AccountID) async throws -> ReviewedPhoto {
        let words = try await conversations.words(of: [stored.id], upTo: stored.position)
        let photo = try await photos.photo(stored)
        if let sighting = try await photos.sighting(of: stored) { try await audit.note(sighting, readBy: moderator) }
        return ReviewedPhoto(photo: photo, conversation: words[stored.id] ?? [])
    }
}

/// A sighting under review, as moderators see it.
package struct ReviewedSighting: Sendable {
    package var finding: Finding
    /// The public pseudonym; nil for imports, after erasure, and while the read model does not have the account.
    package var observer: ObserverID?
    package var review: SightingReview
    /// nil for one's own, and while the read models do not have what it takes.
    package var evidence: SightingEvidence?
    /// Its photos, in the order of their uploads, from the read model, which may lag.
    package var photos: [PhotoRow]
    /// The words of its review, the oldest first.
    package var conversation: [ReviewWord]
}

/// A photo under review, as moderators see it.
package struct ReviewedPhoto: Sendable {
    package var photo: OwnedPhoto
    /// The words of its review, the oldest first.
    package var conversation: [ReviewWord]
}

/// Why a moderator's command is rejected, apart from the rules of the stream.
package enum ModerationRejection: Error, Equatable, Sendable {
    /// Another moderator has claimed the item.
    case claimed
}
