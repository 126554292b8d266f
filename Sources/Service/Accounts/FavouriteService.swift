package import Domain
import EventLog
import Vault

/// A favourite with the present names of its taxon.
package struct NamedFavourite: Sendable {
    package let taxon: TaxonSummary
    package let addedAt: Instant
}

/// An account has as many favourites as it may have.
package struct FavouriteRejection: Error, Hashable {}

/// The taxa that an account marks for itself. They are beside the log: no other account sees them, and nothing depends
/// on them.
package struct FavouriteService: Sendable {
    let favourites: Favourites
    let catalogue: Catalogue

    /// An account's favourites, the newest first. A taxon that is no longer in the catalogue is left out.
    package func list(of account: AccountID) async throws -> [NamedFavourite] {
        let names = catalogue.names
        return try await favourites.favourites(of: account).compactMap { favourite in
            names.summary(of: favourite.taxon).map { NamedFavourite(taxon: $0, addedAt: favourite.addedAt) }
        }
    }

    /// Adds a taxon of the catalogue. Idempotent.
    /// - Throws: ``CommandError/notFound`` for one that is not in it, ``FavouriteRejection``.
    package func add(_ taxon: TaxonID, to account: AccountID) async throws {
        guard catalogue.names.summary(of: taxon) != nil else { throw CommandError.notFound }
        guard try await favourites.add(taxon, to: account) else { throw FavouriteRejection() }
    }

    /// Removes a taxon. Idempotent.
    package func remove(_ taxon: TaxonID, from account: AccountID) async throws {
        try await favourites.remove(taxon, from: account)
    }
}
