import Domain
import EventLog
import Postgres

extension RegionQuery {
    /// The condition for the records `s` of the region that count at a moment.
    func recordsHere(asOf moment: PublicMoment) -> SQL {
        "s.region = \(region.text) and s.region is not null and \(fragment: records(asOf: moment))"
    }

    /// The same for a statement that reads its records by taxon. Indexes of lists, which have the kind in their
    /// conditions, do not apply: without statistics, few records seem to meet such a condition.
    func recordsHereOfTaxon(asOf moment: PublicMoment) -> SQL {
        """
        s.region = \(region.text) and s.taxon is not null and \(fragment: moment.condition)
        and coalesce((s.kind = 'record' and \(fragment: counts(asOf: moment))), false)
        """
    }

    /// The same for records of any region. The rest of the filter is one condition that no index has, so that the plan
    /// is the same for any filter.
    func records(asOf moment: PublicMoment) -> SQL {
        """
        s.kind = 'record' and s.taxon is not null and \(fragment: moment.condition)
        and coalesce((\(fragment: counts(asOf: moment))), false)
        """
    }

    private func counts(asOf moment: PublicMoment) -> SQL {
        """
        \(fragment: PublicListStatement.isComplete) and \(fragment: filter.condition([.from, .to], asOf: moment))
        and (\(fragment: RangeQueries.reason(rule, "0"))) is null
        """
    }

    /// The condition for a row `p` of the species of ``TaxonLines/species(of:asOf:)``.
    var isOfKind: SQL {
        filter.kind.map { "p.kind = \($0.rawValue)" } ?? "true"
    }
}
