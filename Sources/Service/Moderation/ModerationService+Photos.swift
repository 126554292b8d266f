package import Domain
import EventLog
package import FoundationEssentials
import ReadModels
import Vault

/// Moderators' commands on photos.
extension ModerationService {
    /// Decides on a photo.
    /// - Throws: ``ModerationRejection``, ``CommandError``, `PhotoRejection`; what the database throws.
    package func judge(
        _ id: PhotoID, _ verdict: Verdict<PhotoReason>, ifVersions: Set<Int>?, by moderator: AccountID, key: UUID
    ) async throws -> ReviewedPhoto {
        try await reviewed(
            try await decide(id, verdict, in: nil, ifVersions: ifVersions, by: moderator, key: key), for: moderator)
    }

    func decide(
        _ id: PhotoID, _ verdict: Verdict<PhotoReason>, in batch: DecisionBatchID?, ifVersions: Set<Int>?,
        by moderator: AccountID, key: UUID
    ) async throws -> Stored<PhotoState> {
        let stored = try await change(
            id, "JudgePhoto", verdict.canonical, ifVersions: ifVersions, by: moderator, key: key
        ) {
            try await checkClaim(.photo, id.uuid, by: moderator)
            return .judge(
                JudgePhoto(
                    moderator: moderator, decision: verdict.decision, reasons: verdict.reasons, note: verdict.note,
                    batch: batch))
        }
        try await endClaim(.photo, stored.id, at: stored.version, by: moderator)
        return stored
    }

    /// Restores the state before a decision of a batch.
    func restore(
        _ id: PhotoID, from batch: DecisionBatchID, by moderator: AccountID, key: UUID
    ) async throws -> Stored<PhotoState> {
        try await change(
            id, "RestorePhoto", CanonicalText(batch.description), ifVersions: nil, by: moderator, key: key
        ) {
            try await checkClaim(.photo, id.uuid, by: moderator)
            return .restore(RestoreDecision(moderator: moderator, batch: batch))
        }
    }

    /// Hides a photo.
    /// - Throws: ``CommandError``, `PhotoRejection`; what the database throws.
    package func hide(
        _ id: PhotoID, _ hiding: Hiding, ifVersions: Set<Int>?, by moderator: AccountID, key: UUID
    ) async throws -> ReviewedPhoto {
        let stored = try await change(
            id, "HidePhoto", hiding.canonical, ifVersions: ifVersions, by: moderator, key: key
        ) {
            .hide(HidePhoto(moderator: moderator, reason: hiding.reason, note: hiding.note))
        }
        return try await reviewed(stored, for: moderator)
    }

    /// Shows a hidden photo again.
    /// - Throws: ``CommandError``, `PhotoRejection`; what the database throws.
    package func unhide(
        _ id: PhotoID, ifVersions: Set<Int>?, by moderator: AccountID, key: UUID
    ) async throws -> ReviewedPhoto {
        let stored = try await change(id, "UnhidePhoto", .empty, ifVersions: ifVersions, by: moderator, key: key) {
            .unhide(UnhidePhoto(moderator: moderator))
        }
        return try await reviewed(stored, for: moderator)
    }

    private func change(
        _ id: PhotoID, _ name: String, _ request: CanonicalText, ifVersions: Set<Int>?, by moderator: AccountID,
        key: UUID,
        decide: () async throws -> PhotoCommand
    ) async throws -> Stored<PhotoState> {
        let command = signer.identity(
            account: moderator.uuid, command: name, target: id.uuid, ifVersions: ifVersions, key: key,
            request: request, actor: moderator.uuid)
        let outcome: Outcome<PhotoState> = try await store.change(id.uuid, ifVersions: ifVersions, command) {
            try await photos.checkSighting(of: $0)
            return try PhotoDecider.decide(try await decide(), $0.state)
        }
        return outcome.stored
    }
}
