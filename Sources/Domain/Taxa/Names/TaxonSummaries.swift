/// The names of the taxa that an answer mentions: the present ones, or those of a day.
package struct TaxonSummaries: Sendable {
    /// nil: the names of a day.
    private let present: TaxonNames?
    private var dated: [TaxonID: TaxonSummary] = [:]
    private var sought: Set<TaxonID> = []

    /// The present names of all taxa.
    package init(_ names: TaxonNames) {
        present = names
    }

    /// The names of a day, of no taxon so far; see ``add(_:of:)``.
    package init() {
        present = nil
    }

    /// Nil for a taxon that was not known.
    package func summary(of id: TaxonID) -> TaxonSummary? {
        if let present { present.summary(of: id) } else { dated[id] }
    }

    /// Those of some taxa that were not looked up so far.
    package func missing(of taxa: Set<TaxonID>) -> Set<TaxonID> {
        present == nil ? taxa.subtracting(sought) : []
    }

    /// Adds what a look-up of some taxa found.
    package mutating func add(_ found: some Sequence<TaxonSummary>, of taxa: Set<TaxonID>) {
        sought.formUnion(taxa)
        for summary in found { dated[summary.id] = summary }
    }
}
