package import Domain
import EventLog
package import FoundationEssentials
import ReadModels
import Vault

/// Moderators' commands on sightings.
extension ModerationService {
    /// Decides on a sighting.
    /// - Throws: ``ModerationRejection``, ``CommandError``, ``ModelBehind``, `SightingRejection`; what the
    ///   database throws.
    package func judge(
        _ id: SightingID, _ verdict: Verdict<SightingReason>, ifVersions: Set<Int>?, by moderator: AccountID, key: UUID
    ) async throws -> ReviewedSighting {
        try await reviewed(
            try await decide(id, verdict, in: nil, ifVersions: ifVersions, by: moderator, key: key), for: moderator)
    }

    func decide(
        _ id: SightingID, _ verdict: Verdict<SightingReason>, in batch: DecisionBatchID?, ifVersions: Set<Int>?,
        by moderator: AccountID, key: UUID
    ) async throws -> Stored<SightingState> {
        let stored = try await change(
            id, "JudgeSighting", verdict.canonical, ifVersions: ifVersions, by: moderator, key: key
        ) { stored in
            try await checkClaim(.sighting, id.uuid, by: moderator)
            let isAtMargin = verdict.decision == .reject ? try await isAtMargin(stored) : false
            return .judge(
                JudgeSighting(
                    moderator: moderator, decision: verdict.decision, reasons: verdict.reasons, note: verdict.note,
                    batch: batch, isAtMargin: isAtMargin, judgedAt: now()))
        }
        try await endClaim(.sighting, stored.id, at: stored.version, by: moderator)
        return stored
    }

    /// Whether a sighting is at the margin of its taxon's range, by the records up to its newest event or a later one.
    /// One without a taxon or a region is at none.
    /// - Throws: ``ModelBehind``: while records are missing, nothing seems to be at the margin.
    private func isAtMargin(_ stored: Stored<SightingState>) async throws -> Bool {
        guard let record = stored.state.record, record.identification.taxon != nil, record.details.place.region != nil
        else { return false }
        let settled = try await months.ends().settled
        try await log.require(stored.position, of: [.sightingsExact])
        try await log.require(max(stored.position, settled), of: [.sightingsPublic])
        let id = SightingID(stored.id)
        return try await evidence.evidence(for: [id], settled: settled)[id]?.isAtMargin ?? false
    }

    /// Restores the state before a decision or a question of a batch.
    func restore(
        _ id: SightingID, from batch: DecisionBatchID, by moderator: AccountID, key: UUID
    ) async throws -> Stored<SightingState> {
        try await change(
            id, "RestoreSighting", CanonicalText(batch.description), ifVersions: nil, by: moderator, key: key
        ) { _ in
            try await checkClaim(.sighting, id.uuid, by: moderator)
            return .restore(RestoreDecision(moderator: moderator, batch: batch))
        }
    }

    /// A moderator identifies a sighting: the newest such identification is the accepted one.
    /// - Throws: `Faults`, ``CommandError``, `SightingRejection`; what the database throws.
    package func identify(
        _ id: SightingID, _ request: IdentificationRequest, by moderator: AccountID, key: UUID
    ) async throws -> ReviewedSighting {
        let stored = try await change(
            id, "IdentifySighting", request.canonical, ifVersions: nil, by: moderator, key: key
        ) { _ in
            .identify(
                IdentifySighting(
                    by: moderator, isModerator: true,
                    identification: try request.identification(in: sightings.catalogue.names),
                    remarks: request.remarks))
        }
        return try await reviewed(stored, for: moderator)
    }

    /// Hides texts of a sighting; no fields show both again.
    /// - Throws: ``CommandError``, `SightingRejection`; what the database throws.
    package func hide(
        _ fields: [ContentField], of id: SightingID, _ hiding: Hiding, ifVersions: Set<Int>?, by moderator: AccountID,
        key: UUID
    ) async throws -> ReviewedSighting {
        let request = hiding.canonical + CanonicalText(fields.map(\.rawValue))
        let stored = try await change(
            id, "HideTexts", request, ifVersions: ifVersions, by: moderator, key: key
        ) { _ in
            .hide(
                HideSighting(
                    moderator: moderator, reason: hiding.reason, fields: fields, note: hiding.note))
        }
        return try await reviewed(stored, for: moderator)
    }

    /// Lowers the sensitivity category that a sighting inherits from former identifications.
    /// - Parameter category: nil for none.
    /// - Throws: ``CommandError``, `SightingRejection`; what the database throws.
    package func release(
        _ id: SightingID, to category: SensitivityCategory?, note: Remarks, ifVersions: Set<Int>?,
        by moderator: AccountID, key: UUID
    ) async throws -> ReviewedSighting {
        let request = CanonicalText(category.map { "\($0.rawValue)" }, note.typed)
        let names = sightings.catalogue.names
        let stored = try await change(
            id, "ReleaseSighting", request, ifVersions: ifVersions, by: moderator, key: key
        ) { stored in
            let taxon = stored.state.record?.identification.taxon
            return .release(
                ReleaseSighting(
                    moderator: moderator, category: category, taxonCategory: taxon.flatMap(names.sensitivity(of:)),
                    inherited: stored.state.taxa.reduce(nil) { .mostSensitive($0, names.sensitivity(of: $1)) },
                    note: note))
        }
        return try await reviewed(stored, for: moderator)
    }

    /// Sets whether the organism is in captivity or cultivation.
    /// - Throws: ``CommandError``, `SightingRejection`; what the database throws.
    package func setCaptive(
        _ isCaptive: Bool, of id: SightingID, ifVersions: Set<Int>?, by moderator: AccountID, key: UUID
    ) async throws -> ReviewedSighting {
        let request = CanonicalText("\(isCaptive)")
        let stored = try await change(
            id, "AmendSighting", request, ifVersions: ifVersions, by: moderator, key: key
        ) { _ in
            var changes = SightingChanges()
            changes.captive = isCaptive
            return .amend(AmendSighting(moderator: moderator, changes: changes))
        }
        return try await reviewed(stored, for: moderator)
    }

    private func change(
        _ id: SightingID, _ name: String, _ request: CanonicalText, ifVersions: Set<Int>?, by moderator: AccountID,
        key: UUID, decide: (Stored<SightingState>) async throws -> SightingCommand
    ) async throws -> Stored<SightingState> {
        let command = signer.identity(
            account: moderator.uuid, command: name, target: id.uuid, ifVersions: ifVersions, key: key,
            request: request, actor: moderator.uuid)
        let outcome: Outcome<SightingState> = try await store.change(id.uuid, ifVersions: ifVersions, command) {
            try SightingDecider.decide(try await decide($0), $0.state)
        }
        return outcome.stored
    }
}
