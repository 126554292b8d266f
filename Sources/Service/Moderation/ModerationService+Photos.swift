package import Domain
import EventLog
package import FoundationEssentials
import ReadModels
import Vault

/// Moderators' commands on photos.
extension ModerationService {
    /// Decides about a photo.
    /// - Throws: ``ModerationRefusal``, ``CommandError``, `PhotoRejection`; what the database throws.
    package func judge(
        _ id: PhotoID, _ verdict: Verdict<PhotoReason>, ifVersions: Set<Int>?, by moderator: AccountID, key: UUID
    ) async throws -> OwnedPhoto {
        let photo = try await change(
            id, "JudgePhoto", verdict.canonical, ifVersions: ifVersions, by: moderator, key: key
        ) {
            try await checkClaim(.photo, id.uuid, by: moderator)
            return .judge(
                JudgePhoto(
                    moderator: moderator, decision: verdict.decision, reasons: verdict.reasons, note: verdict.note))
        }
        try await claims.end(ReviewItem.Subject.photo.rawValue, id.uuid, of: moderator)
        return photo
    }

    /// Hides a photo.
    /// - Throws: ``CommandError``, `PhotoRejection`; what the database throws.
    package func hide(
        _ id: PhotoID, _ hiding: Hiding, ifVersions: Set<Int>?, by moderator: AccountID, key: UUID
    ) async throws -> OwnedPhoto {
        try await change(id, "HidePhoto", hiding.canonical, ifVersions: ifVersions, by: moderator, key: key) {
            .hide(HidePhoto(moderator: moderator, reason: hiding.reason, note: hiding.note))
        }
    }

    /// Shows a hidden photo again.
    /// - Throws: ``CommandError``, `PhotoRejection`; what the database throws.
    package func unhide(
        _ id: PhotoID, ifVersions: Set<Int>?, by moderator: AccountID, key: UUID
    ) async throws -> OwnedPhoto {
        try await change(id, "UnhidePhoto", [], ifVersions: ifVersions, by: moderator, key: key) {
            .unhide(UnhidePhoto(moderator: moderator))
        }
    }

    private func change(
        _ id: PhotoID, _ name: String, _ request: [UInt8], ifVersions: Set<Int>?, by moderator: AccountID, key: UUID,
        decide: () async throws -> PhotoCommand
    ) async throws -> OwnedPhoto {
        let command = signer.identity(
            account: moderator.uuid, command: name, target: id.uuid, ifVersions: ifVersions, key: key,
            request: request, actor: moderator.uuid)
        let outcome: Outcome<PhotoState> = try await store.change(id.uuid, ifVersions: ifVersions, command) {
            try PhotoDecider.decide(try await decide(), $0.state)
        }
        return try await photos.photo(outcome.stored)
    }
}
