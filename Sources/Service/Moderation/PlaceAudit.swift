import Domain
import EventLog
import FoundationEssentials
import ReadModels
import Vault

/// Notes every read of an exact place that everyone else does not see.
///
/// The public row decides, not the id: a sighting that was rejected, or withdrawn by mistake, keeps its id.
struct PlaceAudit: Sendable {
    let reads: ExactReads
    let publicIDs: PublicIDs
    let now: @Sendable () -> Instant

    /// Notes the reads of sightings in their present states.
    /// - Parameter seen: their public ids and places, as of these states.
    func note(
        _ findings: [Finding], unless seen: [SightingID: PublicIDs.Found], readBy moderator: AccountID
    ) async throws {
        let hidden = findings.filter { !Self.isSeen($0.details.coordinate, seen[$0.id]) }
        try await note(hidden.map(\.id), readBy: moderator)
    }

    /// Notes the read of a sighting's place in its present state, or of a file that may have it.
    func note(_ stored: Stored<SightingState>, readBy moderator: AccountID) async throws {
        if try await isSeen(stored) { return }
        try await note([SightingID(stored.id)], readBy: moderator)
    }

    /// Notes the read of a sighting's history, which has each of its places.
    func noteHistory(of stored: Stored<SightingState>, readBy moderator: AccountID) async throws {
        let id = SightingID(stored.id)
        if try await isSeen(stored), try await publicIDs.hasAllPlaces(of: id, since: stored.position) { return }
        try await note([id], readBy: moderator)
    }

    /// Notes that sightings were read, whatever everyone sees of them.
    func note(_ sightings: [SightingID], readBy moderator: AccountID) async throws {
        try await reads.note(sightings, by: moderator, on: now().date())
    }

    private func isSeen(_ stored: Stored<SightingState>) async throws -> Bool {
        let found = try await publicIDs.id(of: SightingID(stored.id), since: stored.position)
        return Self.isSeen(stored.state.record?.details.coordinate, found)
    }

    private static func isSeen(_ place: Coordinate?, _ found: PublicIDs.Found?) -> Bool {
        guard let place, let found, found.isKnown else { return false }
        return found.place == place
    }
}
