package import Domain
import EventLog
package import FoundationEssentials
import ReadModels
import Vault

/// Records accounts' flags on others' sightings and photos, named by their public ids.
package struct FlagService: Sendable {
    /// The most flags that an account may raise in a day (UTC).
    package static let mostPerDay = 50

    /// More flags than an account may raise in a day (UTC).
    package struct Rejection: Error {
        package let secondsLeft: Int
    }

    let store: StreamStore
    let records: PublicReads
    let quotas: DailyQuotas
    let signer: CommandSigner
    let now: @Sendable () -> Instant

    /// A flag as it was sent.
    package struct Flag: Sendable {
        package var reason: FlagReason
        package var taxon: TaxonID?
        package var note: Remarks?

        package init(reason: FlagReason, taxon: TaxonID? = nil, note: Remarks? = nil) {
            self.reason = reason
            self.taxon = taxon
            self.note = note
        }

        /// For the fingerprint: the same for equal flags.
        fileprivate var canonical: CanonicalText {
            CanonicalText(reason.rawValue, taxon?.description, note?.typed)
        }

        fileprivate func raised(by account: AccountID) -> RaiseFlag {
            RaiseFlag(by: account, reason: reason, taxon: taxon, note: note)
        }
    }

    /// Flags a sighting that is public.
    /// - Throws: ``Rejection``, ``CommandError``, `SightingRejection`; what the database throws.
    package func flag(_ id: SightingID, _ flag: Flag, by account: AccountID, key: UUID) async throws {
        let stream = try await records.read(PublicReader.records) { try await $0.stream(of: id, asOf: $1) }.value
        try await raise("FlagSighting", on: stream.uuid, named: id.uuid, flag, by: account, key: key) {
            (stored: Stored<SightingState>) in
            try SightingDecider.decide(.flag(flag.raised(by: account)), stored.state)
        }
    }

    /// Flags a photo that is public.
    /// - Throws: ``Rejection``, ``CommandError``, `PhotoRejection`; what the database throws.
    package func flag(_ id: PhotoID, _ flag: Flag, by account: AccountID, key: UUID) async throws {
        let stream = try await records.read(PublicReader.records) { try await $0.stream(of: id, asOf: $1) }.value
        try await raise("FlagPhoto", on: stream.uuid, named: id.uuid, flag, by: account, key: key) {
            (stored: Stored<PhotoState>) in
            let decision = try PhotoDecider.decide(.flag(flag.raised(by: account)), stored.state)
            if decision.isEmpty { return decision }
            // As for a photo that is gone: others may still see it with its sighting.
            let sighting: Stored<SightingState>? = try await store.load(try stored.present.sighting.uuid)
            return sighting?.state.status == .withdrawn || sighting?.state.isRedacted == true ? .nothing : decision
        }
    }

    /// Only a flag that the stream's rules accept counts towards the quota, once for all its attempts, and a repetition
    /// as much as a first one.
    /// - Parameter target: the public id. A key says nothing of whether two public ids are of one stream.
    private func raise<State: Aggregate>(
        _ name: String, on stream: UUID, named target: UUID, _ flag: Flag, by account: AccountID, key: UUID,
        decide: (Stored<State>) async throws -> Decision<State.Event>
    ) async throws {
        let command = signer.identity(
            account: account.uuid, command: name, target: target, key: key, request: flag.canonical,
            actor: account.uuid)
        var isCounted = false
        let _: Outcome<State> = try await store.change(stream, ifVersions: nil, command) { stored in
            let decision = try await decide(stored)
            if !isCounted {
                guard try await quotas.use(.flags, of: account, on: now().date(), atMost: Self.mostPerDay) else {
                    throw Rejection(secondsLeft: now().secondsLeftOfDay)
                }
                isCounted = true
            }
            return decision
        }
    }
}
