package import Domain
import EventLog
package import Postgres

/// The public records that bulk answers choose from, at any moment.
package struct RecordSelection: Sendable {
    package var filter: RecordFilter
    /// A further condition for a row `s`, which must not depend on the moment.
    package var further: SQL
    /// Each record has one of these taxa or one below it; empty for any taxon.
    var taxa: [TaxonID] = []
    /// Whether the answer has figures alone, so that no note and no name of an observer can change it.
    private(set) var hasOnlyFigures = false

    package init(_ filter: RecordFilter, and further: SQL = "true") {
        (self.filter, self.further) = (filter, further)
    }

    /// The records that a bulk answer holds.
    package init(_ query: BulkQuery, and further: SQL = "true") {
        self.init(
            query.effectiveFilter,
            and: "\(fragment: PublicSightingQueries.isPassedOn(query)) and (\(fragment: further))")
    }

    /// The records that a table of ranges considers.
    package init(ranges query: BulkQuery, _ terms: RangeTerms) {
        var filter = RangeTerms.looked(query.filter)
        // A table goes by the kinds of species as they were known, and a row has only the kind of its own taxon.
        filter.kind = nil
        let looked = BulkQuery(filter: filter, named: query.named)
        self.init(looked, and: "s.taxon is not null and s.id <> all(\(terms.without.map(\.uuid)))")
        taxa = terms.taxa
        hasOnlyFigures = true
    }

    /// The condition for rows `s` of records that belong to it at a moment.
    func condition(asOf moment: PublicMoment) -> SQL {
        """
        s.kind = 'record' and \(fragment: moment.condition) and \(fragment: filter.condition(asOf: moment))
        and (\(fragment: further)) and \(fragment: hasTaxon(asOf: moment))
        """
    }

    private func hasTaxon(asOf moment: PublicMoment) -> SQL {
        if taxa.isEmpty { return "true" }
        let below = PublicSightingQueries.below("unnest(\(taxa.map(\.uuid)))", asOf: moment.known)
        return "s.taxon = any(array(\(fragment: below)))"
    }
}

extension PublicSightingQueries {
    /// All public ids that a sighting ever had, as a table of one column `id`.
    /// - Parameter stream: an expression for the sighting's own id.
    static func ids(of stream: SQL) -> SQL {
        """
        (select \(fragment: stream) as id
         union all
         select o.id from \(identifier: ReadModel.sightingsPublic.schema).origins o
          where o.stream = \(fragment: stream))
        """
    }
}
