package import Domain
import EventLog
import FoundationEssentials
package import Postgres

/// Finds records that may differ between two moments with the same restrictions. Only knowledge between the two can
/// make a difference, and is found by its positions, however large the answers are.
package struct DifferenceQueries: Sendable {
    /// Two moments, the first one with less knowledge. What may be shown is the same.
    package struct Span: Hashable, Sendable {
        package let first: PublicMoment
        package let second: PublicMoment
        /// Datasets whose title or credits changed in between.
        package var datasets: [DatasetID]
        /// Observers whose public name did.
        package var observers: [ObserverID]

        package init(
            from first: PublicMoment, to second: PublicMoment, datasets: [DatasetID] = [], observers: [ObserverID] = []
        ) {
            (self.first, self.second, self.datasets, self.observers) = (first, second, datasets, observers)
        }
    }

    /// The public history of a record in a span, as far as it names a reason for a difference.
    package struct Course: Hashable, Sendable {
        /// The types of the events in between, without those of guarded records; the newest is the last.
        package let changes: [String]
        /// The status at the second moment; nil if nothing is public then, and if it is guarded.
        package let status: SightingStatus?
        /// Whether it is guarded at either moment.
        package let isGuarded: Bool
    }

    private let database: any PostgresQuerying

    /// Reads through a connection or a pool; statements change nothing. The models `sightings_public` and `taxa` must
    /// have reached the second moment.
    package init(_ database: any PostgresQuerying) {
        self.database = database
    }

    /// The next public ids under which something may differ, sorted. Most of them meet no given filter.
    /// - Throws: `PostgresError`.
    package func candidates(
        in span: Span, after id: SightingID?, limit: Int
    ) async throws(PostgresError) -> [SightingID] {
        try await candidates(in: span, where: id.map { "i.id > \($0.uuid)" } ?? "true", limit: limit)
    }

    /// Those of some public ids under which something may differ.
    /// - Throws: `PostgresError`.
    package func candidates(
        in span: Span, among ids: [SightingID]
    ) async throws(PostgresError) -> Set<SightingID> {
        Set(try await candidates(in: span, where: "i.id = any(\(ids.map(\.uuid)))", limit: ids.count))
    }

    private func candidates(
        in span: Span, where condition: SQL, limit: Int
    ) async throws(PostgresError) -> [SightingID] {
        let schema: SQL = "\(identifier: ReadModel.sightingsPublic.schema)"
        let result = try await database.query(
            """
            with touched as materialized (\(fragment: Self.touched(span))),
            streams as materialized (
                -- Another id of the same sighting may appear or vanish with it.
                select distinct coalesce(o.stream, t.id) as id
                  from touched t
                  left join lateral (
                    select o.stream from \(fragment: schema).origins o where o.id = t.id offset 0) o on true)
            select i.id from streams x
             cross join lateral \(fragment: PublicSightingQueries.ids(of: "x.id")) i
             where \(fragment: condition)
             order by i.id limit \(Int64(limit))
            """)
        var ids: [SightingID] = []
        ids.reserveCapacity(result.count)
        for row in result.rows { ids.append(try row.id("id")) }
        return ids
    }

    /// The public history of some records in a span. Those that never had a row are left out.
    /// - Throws: `PostgresError`.
    package func courses(
        of ids: [SightingID], in span: Span
    ) async throws(PostgresError) -> [SightingID: Course] {
        let (first, second) = (span.first, span.second)
        let result = try await database.query(
            """
            select q.id,
                   array(select s.change from \(fragment: PublicSightingQueries.table)
                          where s.id = q.id and not s.guarded and s.kind <> 'gone' and s.shown @> \(second.shown)
                            and lower(s.valid) > \(first.known) and lower(s.valid) <= \(second.known)
                          order by lower(s.valid)) as changes,
                   (select s.status from \(fragment: PublicSightingQueries.table)
                     where s.id = q.id and not s.guarded and s.kind <> 'gone'
                       and \(fragment: second.condition) limit 1) as status,
                   exists (select from \(fragment: PublicSightingQueries.table)
                            where s.id = q.id and s.guarded
                              and (\(fragment: first.condition) or \(fragment: second.condition))) as guarded
              from unnest(\(ids.map(\.uuid))) q (id)
            """)
        var courses: [SightingID: Course] = [:]
        for row in result.rows {
            courses[try row.id("id")] = Course(
                changes: try row.decode("changes", as: [String].self), status: try row.word("status"),
                isGuarded: try row.decode("guarded"))
        }
        return courses
    }

    /// The public ids of records whose values changed in a span, those that no filter would name included.
    private static func touched(_ span: Span) -> SQL {
        let (known, upTo) = (span.first.known, span.second.known)
        let (guarded, guardedUpTo) = (span.first.guarded, span.second.guarded)
        return """
            select s.id from \(fragment: PublicSightingQueries.table)
             where lower(s.valid) > \(known) and lower(s.valid) <= \(upTo)
            union all
            select s.id from \(fragment: PublicSightingQueries.table)
             where lower(s.valid) > \(guarded) and lower(s.valid) <= \(guardedUpTo) and s.guarded
            union all
            select s.record from \(fragment: PublicPhotoQueries.table)
             where lower(s.valid) > \(known) and lower(s.valid) <= \(upTo) and not s.guarded
            union all
            select s.record from \(fragment: PublicPhotoQueries.table)
             where upper(s.valid) > \(known) and upper(s.valid) <= \(upTo)
               and not upper_inf(s.valid) and not s.guarded
            union all
            select s.id from (\(fragment: changedTaxa(known, upTo))) t
             cross join lateral (
                select s.id from \(fragment: PublicSightingQueries.table)
                 where s.taxon = t.taxon and s.taxon is not null offset 0) s
            union all
            select s.id from unnest(\(span.observers.map(\.uuid))) q (observer)
             cross join lateral (
                select s.id from \(fragment: PublicSightingQueries.table)
                 where s.observer = q.observer and s.observer is not null offset 0) s
            union all
            select s.id from unnest(\(span.datasets.map(\.uuid))) q (dataset)
             cross join lateral (
                select s.id from \(fragment: PublicSightingQueries.table)
                 where coalesce(s.dataset, '00000000-0000-0000-0000-000000000000'::uuid) = q.dataset
                   and s.kind = 'record' offset 0) s
            """
    }

    /// The taxa whose names or place changed, and all that were ever below them: their lineage did, too.
    private static func changedTaxa(_ known: Int64, _ upTo: Int64) -> SQL {
        let states: SQL = "\(identifier: ReadModel.taxa.schema).taxon_states t"
        return """
            with recursive changed (taxon) as (
                select t.taxon from \(fragment: states)
                 where lower(t.valid) > \(known) and lower(t.valid) <= \(upTo)
                union
                select t.taxon from \(fragment: states)
                 where upper(t.valid) > \(known) and upper(t.valid) <= \(upTo) and not upper_inf(t.valid)
                union
                select p.taxon
                  from changed c
                 cross join lateral (
                    select p.taxon from \(identifier: ReadModel.sightingsPublic.schema).taxon_parents p
                     where p.parent = c.taxon and p.since <= \(upTo) offset 0) p
            )
            select c.taxon from changed c
            """
    }
}
