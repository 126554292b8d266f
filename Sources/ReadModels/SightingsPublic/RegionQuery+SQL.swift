import Domain
import EventLog
import Postgres

extension RegionQuery {
    /// The condition for the records `s` of the region that count at a moment.
    func recordsHere(asOf moment: PublicMoment) -> SQL {
        "s.region = \(region.text) and s.region is not null and \(fragment: records(asOf: moment))"
    }

    /// The same in a form in which no index has the region, for a statement that reads its records by taxon.
    func recordsHereOfTaxon(asOf moment: PublicMoment) -> SQL {
        "coalesce(s.region = \(region.text), false) and \(fragment: records(asOf: moment))"
    }

    /// The same for records of any region. The rest of the filter is one condition that no index has, so that the plan
    /// is the same for any filter.
    func records(asOf moment: PublicMoment) -> SQL {
        """
        s.kind = 'record' and s.taxon is not null and \(fragment: moment.condition)
        and coalesce((\(fragment: PublicListStatement.isComplete)
                      and \(fragment: filter.condition([.from, .to], asOf: moment))
                      and (\(fragment: RangeQueries.reason(rule, "0"))) is null), false)
        """
    }

    /// The condition for a row `p` of the species of ``TaxonLines/species(of:asOf:)``.
    var isOfKind: SQL {
        filter.kind.map { "p.kind = \($0.rawValue)" } ?? "true"
    }
}
