package import Domain
import EventLog
import FoundationEssentials
package import Postgres

/// Reads the records that the choice of targets counts, as of one position for knowledge and restrictions alike.
package struct SeasonQueries: Sendable {
    private let database: any PostgresQuerying
    private static let schema = ReadModel.sightingsPublic.schema
    /// All whose accounts are gone count as one observer.
    private static let unknown = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    /// Reads through a connection or a pool; statements are short and change nothing.
    package init(_ database: any PostgresQuerying) {
        self.database = database
    }

    /// The position that the model has reached.
    /// - Throws: `PostgresError`.
    package func position() async throws(PostgresError) -> Int64 {
        let found = try await database.query(
            "select position from model.checkpoints where \(fragment: ReadModel.sightingsPublic.isItsCheckpoint)")
        return try found.first?.decode("position") ?? 0
    }

    /// The records of a region and at its border in a season, by taxon and year: approved, wild, to the day, not
    /// generalised.
    ///
    /// Each year is a range of the indexes `records_season` and `records_season_border`, which hold all that is read.
    /// - Throws: `PostgresError`.
    package func records(
        of region: RegionCode, in season: TargetSeason, asOf position: Int64
    ) async throws(PostgresError) -> [SeasonRecords] {
        let windows = (1...TargetSeason.years).map(season.days(yearsBack:))
        let result = try await database.query(
            """
            select o.taxon, o.years_back, sum(o.records)::bigint as records, array_agg(o.observer) as observers
              from (select r.taxon, w.years_back,
                           coalesce(r.observer, r.recorder, r.dataset, \(Self.unknown)) as observer,
                           count(*) as records
                      from unnest(\(windows.map(\.lowerBound.description))::text[]::date[],
                                  \(windows.map(\.upperBound.description))::text[]::date[])
                           with ordinality w (first, last, years_back)
                     cross join lateral (
                        select s.taxon, s.observer, s.recorder, s.dataset
                          from \(identifier: Self.schema).records s
                         where s.region = \(region.text) and s.local_from between w.first and w.last
                           and s.valid @> \(position) and s.shown @> \(position)
                           and s.seasonal
                        union all
                        select s.taxon, s.observer, s.recorder, s.dataset
                          from \(identifier: Self.schema).records s
                         where s.border_region = \(region.text) and s.border_region <> s.region
                           and s.local_from between w.first and w.last
                           and s.valid @> \(position) and s.shown @> \(position)
                           and s.seasonal
                        offset 0) r
                     group by 1, 2, 3) o
             group by 1, 2
            """)
        var records: [SeasonRecords] = []
        records.reserveCapacity(result.count)
        for row in result.rows {
            records.append(
                SeasonRecords(
                    taxon: try row.id("taxon"), yearsBack: Int(try row.decode("years_back", as: Int64.self)),
                    records: Int(try row.decode("records", as: Int64.self)), observers: try row.decode("observers")))
        }
        return records
    }

    /// The parents and the own categories of taxa that were known at a position.
    /// - Throws: `PostgresError`.
    package func taxonomy(asOf position: Int64) async throws(PostgresError) -> PastTaxonomy {
        let parents = try await database.query(
            """
            select distinct on (p.taxon) p.taxon, p.parent from \(identifier: Self.schema).taxon_parents p
             where p.since <= \(position) order by p.taxon, p.since desc
            """)
        let categories = try await database.query(
            """
            select distinct on (c.taxon) c.taxon, c.category from \(identifier: Self.schema).taxon_categories c
             where c.since <= \(position) order by c.taxon, c.since desc
            """)
        var past = PastTaxonomy()
        for row in parents.rows { past.parents[try row.id("taxon")] = .some(try row.id(optional: "parent")) }
        for row in categories.rows { past.categories[try row.id("taxon")] = try row.category("category") }
        return past
    }
}

/// What can change of the taxonomy, as of a position.
package struct PastTaxonomy: Sendable {
    /// Of every taxon that was known; nil for the highest.
    package var parents: [TaxonID: TaxonID?] = [:]
    /// Of the taxa that had one of their own.
    package var categories: [TaxonID: SensitivityCategory] = [:]

    /// Taxa as they were. Those that were not known yet are as they are now.
    package func applied(to entries: [TaxonEntry]) -> [TaxonEntry] {
        entries.map { entry in
            guard let parent = parents[entry.id] else { return entry }
            var entry = entry
            (entry.parent, entry.sensitivity) = (parent, categories[entry.id])
            return entry
        }
    }
}
