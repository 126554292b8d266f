/// Why a taxon command may be refused.
package enum TaxonRejection: Error, Equatable, Sendable {
    /// There is no such taxon.
    case notFound
    /// A taxon cannot be its own parent.
    case ownParent
}
