package import Domain
import EventLog
import FoundationEssentials
package import Postgres

/// The records of a table of ranges: those that may be passed on, for researchers also rejected ones.
package struct RangeSelection: Sendable {
    package let query: BulkQuery
    package let terms: RangeTerms

    package init(_ query: BulkQuery, _ terms: RangeTerms) {
        (self.query, self.terms) = (query, terms)
    }

    /// The question about one of its taxa.
    package func range(of taxon: TaxonID) -> RangeQuery {
        RangeQuery(of: taxon, in: query.effectiveFilter, terms)
    }

    /// The table of the records, named `s`.
    fileprivate var table: SQL { PublicSightingQueries.table(of: query) }

    /// The condition for a record `s` of any taxon.
    fileprivate var isLookedAt: SQL {
        """
        \(fragment: PublicSightingQueries.isPassedOn(query)) and s.id <> all(\(terms.without.map(\.uuid)))
        """
    }
}

/// The credits of the records that a table of ranges considers.
package struct RangeCredits: Sendable {
    package fileprivate(set) var licences: [Licence: Int] = [:]
    package fileprivate(set) var datasets: [DatasetID: Int] = [:]
    package fileprivate(set) var generalised = 0
    /// Records that meet the filter and are not passed on.
    package fileprivate(set) var leftOut = LeftOut()
}

/// A record that counts for a row.
package struct CountedRecord: Hashable, Sendable {
    package let region: RegionCode?
    package let period: RangePeriod
    package let record: RangeRecord
}

extension RangeQueries {
    /// The taxa that any record ever had, public or not.
    /// - Parameter rejected: rejected records whose taxa are meant, too.
    /// - Throws: `PostgresError`.
    package func recordedTaxa(_ rejected: RejectedChoice? = nil) async throws(PostgresError) -> Set<TaxonID> {
        switch rejected {
        case nil: Set(try await recordedTaxa(in: PublicSightingQueries.table))
        case .only: Set(try await recordedTaxa(in: ResearchListQueries.table))
        case .with:
            Set(try await recordedTaxa(in: PublicSightingQueries.table))
                .union(try await recordedTaxa(in: ResearchListQueries.table))
        }
    }

    private func recordedTaxa(in table: SQL) async throws(PostgresError) -> [TaxonID] {
        let result = try await database.query(
            """
            with recursive \(fragment: RecordedTaxa.found(in: table, where: "s.taxon is not null"))
            select f.taxon from found f where f.taxon is not null
            """)
        var taxa: [TaxonID] = []
        for row in result.rows { taxa.append(try row.id("taxon")) }
        return taxa
    }

    /// The records of some taxa of a table, counted in one statement. A taxon without records has no entry.
    /// - Throws: `PostgresError`.
    package func counts(
        of taxa: some Collection<TaxonID>, in selection: RangeSelection, asOf moment: PublicMoment
    ) async throws(PostgresError) -> [TaxonID: RangeCounts] {
        guard let any = taxa.first else { return [:] }
        let query = selection.range(of: any)
        let result = try await database.query(
            """
            select q.root, x.*
              from unnest(\(taxa.map(\.uuid))) q (root)
             cross join lateral (
                \(fragment: Self.statement(
                    query, moment, of: "q.root", and: selection.isLookedAt, in: selection.table))) x
            """)
        var counts: [TaxonID: RangeCounts] = [:]
        for row in result.rows {
            let taxon: TaxonID = try row.id("root")
            try counts[taxon, default: RangeCounts(groups: [], observers: [])].add(row, query.period)
        }
        return counts
    }

    /// The records that count for the rows of a taxon.
    /// - Throws: `PostgresError`.
    package func counted(
        for taxon: TaxonID, in selection: RangeSelection, asOf moment: PublicMoment
    ) async throws(PostgresError) -> Set<CountedRecord> {
        let query = selection.range(of: taxon)
        let result = try await database.query(
            """
            \(fragment: Self.matched(query, moment, and: selection.isLookedAt, in: selection.table))
            select m.id, m.region, m.period, m.latitude, m.longitude from matched m where m.reason is null
            """)
        var records: Set<CountedRecord> = []
        for row in result.rows {
            guard let place = try row.coordinate(), let period = try row.decode("period", as: Int?.self) else {
                continue
            }
            records.insert(
                CountedRecord(
                    region: try row.code("region"), period: Self.period(query.period, period),
                    record: RangeRecord(id: try row.id("id"), place: place)))
        }
        return records
    }

    /// Counts the records of some taxa that a table looks at, each once.
    /// - Throws: `PostgresError`.
    package func credits(
        of taxa: some Collection<TaxonID>, in selection: RangeSelection, asOf moment: PublicMoment
    ) async throws(PostgresError) -> RangeCredits {
        var filter = RangeTerms.looked(selection.query.effectiveFilter)
        // The taxa are those of the rows.
        (filter.taxon, filter.kind) = (nil, nil)
        let below = PublicSightingQueries.below("unnest(\(taxa.map(\.uuid)))", asOf: moment.known)
        let result = try await database.query(
            """
            select s.licence, s.dataset, \(fragment: PublicSightingQueries.isPassedOn(selection.query)) as passed,
                   count(*) as records,
                   count(*) filter (where s.cell is not null or s.guarded or s.sensitivity is not null
                                          or s.geoprivacy <> 'open') as generalised
              from \(fragment: selection.table)
             where s.taxon = any(array(\(fragment: below))) and s.taxon is not null
               and s.kind = 'record' and \(fragment: PublicListStatement.isComplete)
               and \(fragment: moment.condition) and \(fragment: filter.condition(asOf: moment))
               and s.id <> all(\(selection.terms.without.map(\.uuid)))
             group by 1, 2, 3
            """)
        var credits = RangeCredits()
        for row in result.rows {
            let records: Int = try row.decode("records")
            guard let licence: Licence = try row.word("licence") else {
                credits.leftOut.noLicence += records
                continue
            }
            guard try row.decode("passed", as: Bool.self) else {
                credits.leftOut.notRepublished += records
                continue
            }
            credits.licences[licence, default: 0] += records
            credits.generalised += try row.decode("generalised", as: Int.self)
            if let dataset: DatasetID = try row.id(optional: "dataset") {
                credits.datasets[dataset, default: 0] += records
            }
        }
        return credits
    }
}
