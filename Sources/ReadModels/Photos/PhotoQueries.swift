package import Domain
import EventLog
import FoundationEssentials
package import Postgres

/// Reads photos as they are now, with all that only their owners and moderators may see.
package struct PhotoQueries: Sendable {
    /// The filter and the size of a page of an owner's photos, newest first.
    package struct Page: SliceRequest, Hashable {
        /// nil: any status but deleted.
        package var status: PhotoStatus?
        /// The filter of the sightings that the photos belong to.
        package var filter = RecordFilter()
        package var limit: Int
        package var after: MomentKey?

        package init(status: PhotoStatus? = nil, limit: Int, after: MomentKey? = nil) {
            self.status = status
            self.limit = limit
            self.after = after
        }
    }

    let database: any PostgresQuerying
    private let table: SQL = "\(identifier: ReadModel.photos.schema).photos s"

    /// Reads through a connection or a pool; statements are short and change nothing.
    package init(_ database: any PostgresQuerying) {
        self.database = database
    }

    private func rows(_ condition: SQL) async throws(PostgresError) -> [PhotoRow] {
        let result = try await database.query(
            "select \(fragment: PhotoRow.selection) from \(fragment: table) \(fragment: condition)")
        var rows: [PhotoRow] = []
        rows.reserveCapacity(result.count)
        for row in result.rows { rows.append(try PhotoRow(row)) }
        return rows
    }

    /// Some photos, deleted ones included, in no particular order.
    /// - Throws: `PostgresError`.
    package func photos(_ ids: [PhotoID]) async throws(PostgresError) -> [PhotoRow] {
        ids.isEmpty ? [] : try await rows("where s.id = any(\(ids.map(\.uuid)))")
    }

    /// Photos that are not deleted, by their ids; none of sightings that were withdrawn for privacy or redacted.
    /// - Parameter previous: the last one of an earlier page.
    /// - Throws: `PostgresError`.
    package func all(after previous: PhotoID?, limit: Int) async throws(PostgresError) -> [PhotoRow] {
        let rest: SQL = if let previous { "and s.id > \(previous.uuid)" } else { "" }
        return try await rows(
            """
            where s.status <> 'deleted' \(fragment: rest)
              and not exists (select from \(identifier: ReadModel.sightingsExact.schema).sightings x
                               where x.id = s.sighting and upper_inf(x.valid)
                                 and (x.status = 'redacted' or x.status = 'withdrawn' and x.reason = 'privacy'))
            order by s.id limit \(limit)
            """)
    }

    /// The photos of some sightings, deleted ones left out, in the order of their uploads.
    /// - Throws: `PostgresError`.
    package func photos(of sightings: [SightingID]) async throws(PostgresError) -> [SightingID: [PhotoRow]] {
        guard !sightings.isEmpty else { return [:] }
        let result = try await database.query(
            """
            select \(fragment: PhotoRow.selection)
              from unnest(\(sightings.map(\.uuid))) q (id)
             cross join lateral (select s.* from \(fragment: table) where s.sighting = q.id offset 0) s
             where s.status <> 'deleted'
             order by s.sighting, s.ordinal
            """)
        var found: [PhotoRow] = []
        for row in result.rows { found.append(try PhotoRow(row)) }
        return Dictionary(grouping: found, by: \.sighting)
    }

    /// A page of an owner's photos, newest first, then by id.
    /// - Throws: `PostgresError`.
    package func gallery(
        of observer: AccountID, _ page: Page
    ) async throws(PostgresError) -> Slice<PhotoRow, MomentKey> {
        var filter: SQL = ""
        if let status = page.status { filter = "and s.status = \(status.rawValue)" }
        if page.filter != RecordFilter() {
            filter = "\(fragment: filter) and \(fragment: Self.sighting(page.filter))"
        }
        if let key = page.after {
            filter = "\(fragment: filter) and \(fragment: key.precedes("s.uploaded_at", "s.id"))"
        }
        let rows = try await rows(
            """
            where s.observer = \(observer.uuid) and s.status <> 'deleted' \(fragment: filter)
            order by s.uploaded_at desc, s.id limit \(page.rows)
            """)
        return page.slice(rows) { MomentKey($0.uploadedAt, $0.id.uuid) }
    }

    /// The condition for photos of a table `s` whose sighting, as it is now, meets a filter.
    private static func sighting(_ filter: RecordFilter) -> SQL {
        """
        coalesce((select \(fragment: filter.condition(of: "x"))
                    from \(identifier: ReadModel.sightingsExact.schema).sightings x
                   where x.id = s.sighting and upper_inf(x.valid)), false)
        """
    }

    /// The digests among some of a photo's that other photos need, too.
    /// - Parameters:
    ///   - digests: SHA-256 in hexadecimal digits.
    ///   - hash: the hash of the photo. Photos with renditions in common have equal hashes, or have the same original,
    ///     which another version of libvips may have hashed differently.
    /// - Throws: `PostgresError`.
    package func using(
        _ digests: [String], hashedTo hash: PerceptualHash, besides photo: PhotoID
    ) async throws(PostgresError) -> [String] {
        let result = try await database.query(
            """
            select d.digest from unnest(\(digests)) d (digest)
             where exists (select from \(fragment: table)
                            where s.original = d.digest and s.id <> \(photo.uuid) and s.status <> 'deleted')
                or exists (select from \(fragment: table)
                            where (s.hash = ('x' || \(hash.text))::bit(64)::bigint or s.original = any(\(digests)))
                              and s.renditions @> jsonb_build_array(jsonb_build_object('sha256', d.digest))
                              and s.id <> \(photo.uuid) and s.status <> 'deleted')
            """)
        var used: [String] = []
        for row in result.rows { used.append(try row.decode("digest")) }
        return used
    }
}
