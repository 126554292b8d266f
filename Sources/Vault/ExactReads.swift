package import Domain
package import Postgres

/// The record of readings of exact places that are generalised or private for everyone else.
package struct ExactReads: Sendable {
    private let database: any PostgresQuerying

    /// Writes through a connection or a pool.
    package init(database: any PostgresQuerying) {
        self.database = database
    }

    /// Notes that an account reads exact places, once a day for each sighting.
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
