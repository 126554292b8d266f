package import Domain
package import Postgres

/// Records the reads of exact places that are generalised or private for everyone else.
package struct ExactReads: Sendable {
    private let database: any PostgresQuerying

    /// Writes through a connection or a pool.
    package init(database: any PostgresQuerying) {
        self.database = database
    }

    /// A day (UTC) on which an account read an exact place.
    package struct Reading: Hashable, Sendable {
        package let day: CivilDate
        package let account: AccountID
        package let sighting: SightingID
    }

    /// Reads, ordered by day, account and sighting.
    /// - Parameters:
    ///   - account: nil for all.
    ///   - sighting: nil for all.
    ///   - previous: the last one of an earlier page.
    /// - Throws: `PostgresError`; `RuleViolation` for an invalid day.
    package func readings(
        by account: AccountID? = nil, of sighting: SightingID? = nil, after previous: Reading? = nil, limit: Int
    ) async throws -> [Reading] {
        var condition: SQL = "true"
        if let account { condition = "\(fragment: condition) AND r.account = \(account.uuid)" }
        if let sighting { condition = "\(fragment: condition) AND r.sighting = \(sighting.uuid)" }
        if let previous {
            condition = """
                \(fragment: condition) AND (r.day, r.account, r.sighting)
                    > (\(previous.day.description)::text::date, \(previous.account.uuid), \(previous.sighting.uuid))
                """
        }
        let result = try await database.query(
            """
            SELECT r.day::text AS day, r.account, r.sighting FROM vault.exact_reads r
             WHERE \(fragment: condition) ORDER BY r.day, r.account, r.sighting LIMIT \(limit)
            """)
        var readings: [Reading] = []
        for row in result.rows {
            readings.append(
                Reading(
                    day: try CivilDate(try row.decode("day", as: String.self)),
                    account: AccountID(try row.decode("account")), sighting: SightingID(try row.decode("sighting"))))
        }
        return readings
    }

    /// Records that an account reads exact places, once a day for each sighting.
    package func note(
        _ sightings: [SightingID], by account: AccountID, on day: CivilDate
    ) async throws(PostgresError) {
        guard !sightings.isEmpty else { return }
        try await database.query(
            """
            INSERT INTO vault.exact_reads (account, sighting, day)
            SELECT \(account.uuid), s.id, \(day.description)::text::date
              FROM unnest(\(sightings.map(\.uuid))) AS s (id)
            ON CONFLICT DO NOTHING
            """)
    }
}
