package import Domain

/// Looks up taxa with all their details.
package struct TaxonService: Sendable {
    private let store: StreamStore

    /// Reads taxa from their streams.
    package init(_ store: StreamStore) {
        self.store = store
    }

    /// A taxon as it is now.
    /// - Throws: ``CommandError/notFound``; what the database throws.
    package func taxon(_ id: TaxonID) async throws -> TaxonState.Taxon {
        guard let stored: Stored<TaxonState> = try await store.load(id.uuid), let taxon = stored.state.taxon else {
            throw CommandError.notFound
        }
        return taxon
    }
}
