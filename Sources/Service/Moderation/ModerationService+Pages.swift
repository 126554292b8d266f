import Domain
import EventLog
import FoundationEssentials
import ReadModels
import Vault

/// Many sightings and photos at once, with as many statements for all of them as for one.
extension ModerationService {
    /// Sightings as ``sighting(_:for:)`` has them. Those that are gone are left out.
    /// - Parameter words: what was said about each.
    /// - Throws: what the database throws.
    func sightings(
        _ ids: Set<SightingID>, _ words: [UUID: [ReviewWord]], for moderator: AccountID
    ) async throws -> [SightingID: ReviewedSighting] {
        let stored = try await store.load(ids.map(\.uuid), as: SightingState.self)
        let found = try await reviewed(Array(stored.values), words, for: moderator)
        return Dictionary(uniqueKeysWithValues: found.map { ($0.finding.id, $0) })
    }

    /// Photos in their present state. Those that are gone are left out.
    /// - Throws: what the database throws.
    func presentPhotos(_ ids: [PhotoID]) async throws -> [PhotoID: Stored<PhotoState>] {
        let stored = try await store.load(ids.map(\.uuid), as: PhotoState.self)
        let present = stored.values.filter { (try? $0.present) != nil }
        return Dictionary(uniqueKeysWithValues: present.map { (PhotoID($0.id), $0) })
    }

    /// Sightings with all that moderators see of them, whose reading is noted where others see less. Those that are
    /// gone are left out.
    func reviewed(
        _ stored: [Stored<SightingState>], _ words: [UUID: [ReviewWord]], for moderator: AccountID
    ) async throws -> [ReviewedSighting] {
        let ids = stored.map { SightingID($0.id) }
        let typed = try await contents.content(of: stored.map(\.id), fields: [.notes, .verbatimName])
        let publicIDs = try await sightings.publicIDs.ids(
            of: stored.map { (SightingID($0.id), $0.state.record?.observer, $0.position) })
        let others = stored.filter { $0.state.record?.observer != moderator }
        let evidence = try await evidence(for: others.map { SightingID($0.id) })
        let photos = try await photos.queries.photos(of: ids)
        var reviewed: [ReviewedSighting] = []
        for stored in stored {
            let texts = typed[stored.id]
            // The read model that a list comes from may not have the withdrawal yet.
            guard !stored.state.isWithdrawnForPrivacy,
                var finding = sightings.present(
                    stored, notes: texts?[.notes], verbatimName: texts?[.verbatimName])
            else { continue }
            let publicID = publicIDs[finding.id]
            if let publicID, publicID.isKnown { finding.publicID = publicID.id }
            // A visit would show which sightings are of one observer, who may have left.
            if publicID?.observer == nil { finding.details.visit = nil }
            reviewed.append(
                ReviewedSighting(
                    finding: finding, observer: publicID?.observer, review: stored.state.review,
                    evidence: evidence[finding.id],
                    photos: stored.state.hasLostPhotos ? [] : photos[finding.id] ?? [],
                    conversation: words[stored.id] ?? []))
        }
        try await audit.note(reviewed.map(\.finding), unless: publicIDs, readBy: moderator)
        return reviewed
    }

    /// The evidence for sightings, as everyone sees the records of their taxa now.
    func evidence(for sightings: [SightingID]) async throws -> [SightingID: SightingEvidence] {
        try await evidence.evidence(for: sightings, settled: try await months.ends().settled)
    }
}
