package import Domain
import ReadModels
import Vault

extension ModerationQueue {
    /// The regions and taxa that a moderator usually works on.
    /// - Throws: what the database throws.
    package func interests(of moderator: AccountID) async throws -> ModeratorInterests {
        try await interests.interests(of: moderator)
    }

    /// Replaces a moderator's interests.
    /// - Throws: `Faults` for unknown regions and taxa; what the database throws.
    package func set(_ new: ModeratorInterests, of moderator: AccountID) async throws {
        var faults = Faults()
        let known = moderation.sightings.places.regions
        for (index, region) in new.regions.enumerated() where known[region] == nil {
            faults.add("/regions/\(index)", .unknownRegion)
        }
        let names = moderation.sightings.catalogue.names
        for (index, taxon) in new.taxa.enumerated() where names.summary(of: taxon) == nil {
            faults.add("/taxa/\(index)", .unknownTaxon)
        }
        guard faults.isEmpty else { throw faults }
        try await interests.set(new, of: moderator)
    }

    /// The page, with its moderator's regions and taxa unless it names a region, taxon or observer.
    /// - Throws: what the database throws.
    func withInterests(_ page: ModerationQueries.Page) async throws -> ModerationQueries.Page {
        guard page.regions.isEmpty, page.taxa.isEmpty, page.observer == nil else { return page }
        let own = try await interests(of: page.moderator)
        var page = page
        (page.regions, page.taxa) = (own.regions, own.taxa)
        return page
    }
}
