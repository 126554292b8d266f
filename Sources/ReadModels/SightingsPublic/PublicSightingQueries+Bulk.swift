package import Domain
import EventLog
import FoundationEssentials
package import Postgres

/// How many records meet the filter of a bulk answer.
package struct BulkCount: Hashable, Sendable {
    /// Those that are passed on.
    package let records: Int
    package let leftOut: LeftOut

    /// All of them.
    package var matching: Int { records + leftOut.noLicence + leftOut.notRepublished }
}

/// Records that are passed on to others. At a fixed moment they do not change, so an answer may be read in many
/// statements, without a snapshot.
extension PublicSightingQueries {
    /// The end of a window: the id of the last of so many rows after an id, whether they are passed on or not; nil
    /// where there are none.
    ///
    /// Windows bound what a statement reads, however few of the records meet a filter.
    /// - Throws: `PostgresError`.
    package func end(
        of query: BulkQuery = BulkQuery(), ofWindowAfter id: SightingID?, rows: Int
    ) async throws(PostgresError) -> SightingID? {
        let result = try await database.query(
            """
            select w.id
              from (select s.id from \(fragment: Self.table(of: query))
                     where \(fragment: Self.follows(id)) order by s.id limit \(rows)) w
             order by w.id desc limit 1
            """)
        return try result.first?.id("id")
    }

    /// The ids of the records of a bulk answer in a window, sorted.
    ///
    /// The conditions are wrapped, so that every plan reads the window by its ids: the index of one condition would
    /// have its records of all windows.
    /// - Throws: `PostgresError`.
    package func ids(
        of query: BulkQuery, after id: SightingID?, upTo end: SightingID, asOf moment: PublicMoment
    ) async throws(PostgresError) -> [SightingID] {
        let result = try await database.query(
            """
            select s.id
              from \(fragment: Self.table(of: query))
             where \(fragment: Self.follows(id)) and s.id <= \(end.uuid)
               and coalesce((\(fragment: Self.meets(query, asOf: moment))
                             and \(fragment: Self.isPassedOn(query))), false)
             order by s.id
            """)
        var ids: [SightingID] = []
        ids.reserveCapacity(result.count)
        for row in result.rows { ids.append(try row.id("id")) }
        return ids
    }

    /// Records of a bulk answer by their ids, sorted.
    /// - Parameter columns: what else to select, of the record `s`; it is read from the row.
    /// - Throws: `PostgresError`.
    package func sightings(
        _ ids: some Collection<SightingID>, of query: BulkQuery, asOf moment: PublicMoment, and columns: SQL
    ) async throws(PostgresError) -> [(sighting: PublicSighting, row: PostgresRow)] {
        // The ids meet the filter already; the taxonomy is not walked again for each batch.
        let members = RecordFilter.Member.all.subtracting([.taxon, .kind])
        let result = try await database.query(
            """
            select \(fragment: PublicSighting.selection), \(fragment: columns)
              from \(fragment: Self.table(of: query))
             where s.id = any(\(ids.map(\.uuid)))
               and \(fragment: Self.meets(query, members, asOf: moment)) and \(fragment: Self.isPassedOn(query))
             order by s.id
            """)
        var found: [(sighting: PublicSighting, row: PostgresRow)] = []
        found.reserveCapacity(result.count)
        for row in result.rows { found.append((try PublicSighting(row), row)) }
        return found
    }

    /// Those of some ids whose records are in a bulk answer.
    /// - Parameter format: one that may leave records out.
    /// - Throws: `PostgresError`.
    package func contained(
        _ ids: some Collection<SightingID>, in query: BulkQuery, as format: ExportFormat, asOf moment: PublicMoment
    ) async throws(PostgresError) -> Set<SightingID> {
        let result = try await database.query(
            """
            select s.id
              from \(fragment: Self.table(of: query))
             where s.id = any(\(ids.map(\.uuid)))
               and \(fragment: Self.meets(query, asOf: moment)) and \(fragment: Self.isPassedOn(query))
               and \(fragment: Self.isIn(format, asOf: moment))
            """)
        var found: Set<SightingID> = []
        for row in result.rows { found.insert(try row.id("id")) }
        return found
    }

    /// How many records meet the filter of a bulk answer.
    /// - Parameter further: a further condition for a record `s`.
    /// - Throws: `PostgresError`.
    package func count(
        of query: BulkQuery, asOf moment: PublicMoment, and further: SQL = "true"
    ) async throws(PostgresError) -> BulkCount {
        let result = try await database.query(
            """
            select count(*) filter (where s.licence is not null and s.passes) as records,
                   count(*) filter (where s.licence is null) as no_licence,
                   count(*) filter (where s.licence is not null and not s.passes) as not_republished
              from (select s.licence, \(fragment: Self.isRepublished(query)) as passes
                      from \(fragment: Self.table(of: query))
                     where \(fragment: Self.meets(query, asOf: moment)) and (\(fragment: further))) s
            """)
        let row = try result.onlyRow()
        return BulkCount(
            records: try row.decode("records"),
            leftOut: LeftOut(
                noLicence: try row.decode("no_licence"), notRepublished: try row.decode("not_republished")))
    }

    /// The datasets whose records are passed on.
    /// - Throws: `PostgresError`.
    package func republishedDatasets(of query: BulkQuery) async throws(PostgresError) -> [DatasetID] {
        let result = try await database.query(Self.republished(query))
        var ids: [DatasetID] = []
        for row in result.rows { ids.append(try row.id("id")) }
        return ids
    }

    /// The condition for records that a format has: a Darwin Core archive has none without a taxon.
    private static func isIn(_ format: ExportFormat, asOf moment: PublicMoment) -> SQL {
        guard format == .dwca else { return "true" }
        return """
            exists (select from \(identifier: ReadModel.taxa.schema).taxon_states t
                     where t.taxon = s.taxon and t.valid @> \(moment.known))
            """
    }

    /// The table of the records that an answer chooses from, named `s`. For researchers it has the column `reasons`.
    static func table(of query: BulkQuery) -> SQL {
        guard let rejected = query.rejected else { return table }
        if rejected == .only { return ResearchListQueries.table }
        let names = PublicSighting.columns + rangeColumns
        let columns = SQL(unsafeText: names.map { "s.\($0)" }.joined(separator: ", "))
        return """
            (select \(fragment: columns), null::text[] as reasons from \(fragment: table)
             union all
             select \(fragment: columns), s.reasons from \(fragment: ResearchListQueries.table)) s
            """
    }

    /// The columns that ranges read, besides those of public records.
    private static let rangeColumns = ["recorder", "prompted", "visit"]

    private static func follows(_ id: SightingID?) -> SQL {
        id.map { "s.id > \($0.uuid)" } ?? "true"
    }

    /// The condition for records that meet the filter and have enough left to be shown.
    private static func meets(
        _ query: BulkQuery, _ members: Set<RecordFilter.Member> = RecordFilter.Member.all, asOf moment: PublicMoment
    ) -> SQL {
        """
        s.kind = 'record' and \(fragment: PublicListStatement.isComplete)
        and \(fragment: moment.condition)
        and \(fragment: query.effectiveFilter.condition(members, asOf: moment))
        """
    }

    /// The condition for records that are passed on.
    static func isPassedOn(_ query: BulkQuery) -> SQL {
        "s.licence is not null and \(fragment: isRepublished(query))"
    }

    /// Whether the terms of a record's dataset allow passing it on.
    private static func isRepublished(_ query: BulkQuery) -> SQL {
        "(s.dataset is null or s.dataset in (\(fragment: republished(query))))"
    }

    private static func republished(_ query: BulkQuery) -> SQL {
        """
        select d.id from \(identifier: ReadModel.datasets.schema).datasets d
         where d.republish = \(Republishing.yes.rawValue) or d.id = any(\(query.named.map(\.uuid)))
        """
    }
}
