package import Domain
import FoundationEssentials
package import ReadModels
import Vault

/// A sighting as its owner may see it, at one of its versions.
package struct Finding: Sendable {
    package var id: SightingID
    /// The id under which it is public, or will be once its month is over; nil for none. Answers to commands have it
    /// only where it is the sighting's own.
    package var publicID: SightingID?
    package var details: SightingDetails
    package var status: SightingStatus
    package var review = OwnReview()
    /// The targets that asked for this taxon at that time.
    package var promptedBy: TargetsID?
    /// The taxon with its present names.
    package var taxon: TaxonSummary?
    package var notes: String?
    /// The name as typed; nil if a taxon was chosen.
    package var verbatimName: String?
    /// The stream's version.
    package var version: Int
    /// The position of the event that made this version.
    package var position: Int64
    /// When the sighting was first recorded.
    package var createdAt: Instant
    /// The order of its photos, as far as its owner set one.
    var photoOrder: [PhotoID] = []
    /// Its photos, in their order.
    package var photos: [OwnedPhoto] = []
    /// The SHA-256 of photos that were announced.
    var awaitedPhotos: [Fingerprint] = []
    /// The announced photos that have not arrived.
    package var missingPhotos: [Fingerprint] {
        let present = Set(photos.map(\.original))
        return awaitedPhotos.filter { !present.contains($0) }
    }
    /// Suggested taxa for a name that matches none; only in the answers to commands.
    package var suggestions: [TaxonSummary] = []
}

extension Finding {
    /// The finding with its photos.
    fileprivate func adding(_ photos: OwnedPhotos) async throws -> Finding {
        adding(try await photos.photos(of: [id: details])[id] ?? [])
    }

    /// The finding with its photos, which are given in the order of their uploads.
    func adding(_ photos: [OwnedPhoto]) -> Finding {
        var finding = self
        finding.photos = OwnedPhotos.ordered(photos, by: photoOrder)
        return finding
    }
}

extension SightingService {
    /// One of the owner's sightings in its present state, even if it is withdrawn.
    /// - Throws: ``CommandError/notFound``, ``CommandError/gone``.
    package func finding(_ id: SightingID, of account: AccountID) async throws -> Finding {
        guard let stored: Stored<SightingState> = try await store.load(id.uuid),
            stored.state.isOwn(account)
        else { throw CommandError.notFound }
        async let found = publicIDs.id(of: id, since: stored.position)
        var finding = try await finding(stored, suggesting: false)
        let publicID = try await found
        if publicID.isKnown { finding.publicID = publicID.id }
        if stored.state.hasLostPhotos { return finding }
        return try await finding.adding(photos)
    }

    /// The answer to a command that was carried out before, or that did not change the typed text.
    func answer(to outcome: Outcome<SightingState>) async throws -> Finding {
        if outcome.isRepeat, outcome.current.state.status == .withdrawn { throw CommandError.withdrawn }
        if outcome.current.state.record == nil { throw CommandError.gone }
        var finding = try await finding(outcome.stored, suggesting: true)
        // A new sighting has no photos yet.
        if finding.version > 1 { finding.photos = try await loggedPhotos(of: finding) }
        return finding
    }

    /// The photos of a finding as the log has them: a response to a command does not wait for a read model.
    private func loggedPhotos(of finding: Finding) async throws -> [OwnedPhoto] {
        let stored = try await SightingPhotos.read(of: finding.id, store, reservations).present
        let typed = try await contents.content(of: stored.map(\.id), fields: [.altText, .capture])
        let photos = stored.compactMap {
            OwnedPhoto(
                $0, altText: typed[$0.id]?[.altText], capture: typed[$0.id]?[.capture], sighting: finding.details)
        }
        return OwnedPhotos.ordered(photos, by: finding.photoOrder)
    }

    private func finding(_ stored: Stored<SightingState>, suggesting: Bool) async throws -> Finding {
        let content = try await contents.content(of: stored.id, asOf: stored.position)
        return try await finding(
            stored, notes: content[.notes], verbatimName: content[.verbatimName], suggesting: suggesting)
    }

    func finding(
        _ stored: Stored<SightingState>, notes: String?, verbatimName: String?, suggesting: Bool
    ) async throws -> Finding {
        guard var finding = present(stored, notes: notes, verbatimName: verbatimName) else { throw CommandError.gone }
        if suggesting, finding.taxon == nil, let verbatimName {
            finding.suggestions = await suggestions(for: verbatimName, in: catalogue.names)
        }
        return finding
    }

    /// A sighting with its typed text; nil if too little of it is left to show.
    func present(_ stored: Stored<SightingState>, notes: String?, verbatimName: String?) -> Finding? {
        guard let record = stored.state.record, let status = stored.state.status else { return nil }
        var finding = Finding(
            id: SightingID(stored.id), details: record.details, status: status, promptedBy: record.promptedBy,
            version: stored.version, position: stored.position, createdAt: Instant(stored.createdAt))
        if stored.version == 1, record.identification.sensitivity == nil, record.details.geoprivacy == .open {
            finding.publicID = finding.id
        }
        finding.review = OwnReview(stored.state.review)
        finding.photoOrder = stored.state.review.photos
        finding.awaitedPhotos = record.awaitedPhotos
        finding.taxon = record.identification.taxon.flatMap { catalogue.names.summary(of: $0) }
        finding.notes = notes.flatMap { $0.isEmpty ? nil : $0 }
        finding.verbatimName = verbatimName
        return finding
    }

    /// Computed on Swift's own threads: a batch of unknown names would hold up the other requests of its event loop.
    private func suggestions(for name: String, in names: TaxonNames) async -> [TaxonSummary] {
        await withTaskExecutorPreference(globalConcurrentExecutor) {
            names.suggestions(for: name, limit: 5).compactMap { names.summary(of: $0.taxon) }
        }
    }

    /// The sighting's present content beside the log.
    func kept(of id: SightingID) async throws -> SightingContent {
        let content = try await contents.content(of: id.uuid)
        return SightingContent(
            notes: content[.notes].flatMap { try? Note($0) },
            verbatimName: content[.verbatimName].flatMap { try? VerbatimName($0) })
    }
}
