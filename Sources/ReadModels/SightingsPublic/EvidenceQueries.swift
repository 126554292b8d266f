package import Domain
import EventLog
package import Postgres

/// How a sighting compares with the accepted records of its taxon, as everyone sees these: for moderators.
package struct SightingEvidence: Hashable, Sendable {
    /// Accepted records of the taxon that have a public place, without the sighting itself.
    package let acceptedRecords: Int
    /// Whether its margin cell is one of the taxon's ten southernmost or northernmost in the region.
    package let isAtMargin: Bool
    /// The smallest of 1,000, 5,000, 25,000 and 100,000 metres within which an accepted record is, or the middle of its
    /// cell; nil where there is none.
    package let nearestWithinMetres: Int?
    /// The percentage of accepted records further south; nil where there is none.
    package let latitudePercentile: Double?
    /// The percentage of accepted records earlier in the year; nil where there is none.
    package let dayOfYearPercentile: Double?
    /// The observer's other records of the taxon that were approved. Guarded ones count for a guarded one only.
    package let observerApproved: Int
    /// The observer's other records of the taxon that were rejected. Guarded ones count for a guarded one only.
    package let observerRejected: Int
}

/// Looks up the evidence for sightings. What it reads of other observers' records is public.
package struct EvidenceQueries: Sendable {
    private let database: any PostgresQuerying

    /// Reads through a connection or a pool; statements are short and change nothing.
    package init(_ database: any PostgresQuerying) {
        self.database = database
    }

    /// The evidence for sightings as they are now; those that the model does not have are left out, and all while the
    /// public records are behind the end of the last month.
    /// - Parameter settled: the last position of the last month that is over.
    /// - Throws: `PostgresError`.
    package func evidence(
        for sightings: [SightingID], settled: Int64
    ) async throws(PostgresError) -> [SightingID: SightingEvidence] {
        guard !sightings.isEmpty else { return [:] }
        let records = ReadModel.sightingsPublic
        let result = try await database.query(
            """
            with asked as materialized (
                select a.* from \(identifier: ReadModel.sightingsExact.schema).asked(\(sightings.map(\.uuid))) a)
            select a.id, e.accepted, e.at_margin, e.nearest, e.below, e.earlier, a.observer_accepted,
                   a.observer_rejected
              from asked a
              join \(identifier: records.schema).evidence(
                       array(select row(q.id, q.taxon, q.region, q.latitude, q.longitude, q.day)
                                        ::\(identifier: records.schema).asked from asked q), \(settled)) e
                on e.id = a.id
             where (select position from model.checkpoints where \(fragment: records.isItsCheckpoint)) >= \(settled)
            """)
        var evidence: [SightingID: SightingEvidence] = [:]
        for row in result.rows { evidence[try row.id("id")] = try SightingEvidence(row) }
        return evidence
    }
}

extension SightingEvidence {
    fileprivate init(_ row: PostgresRow) throws(PostgresError) {
        let accepted: Int = try row.decode("accepted")
        isAtMargin = try row.decode("at_margin")
        nearestWithinMetres = try row.decode("nearest")
        latitudePercentile = Self.percentage(try row.decode("below"), of: accepted)
        dayOfYearPercentile = Self.percentage(try row.decode("earlier"), of: accepted)
        observerApproved = try row.decode("observer_accepted")
        observerRejected = try row.decode("observer_rejected")
        acceptedRecords = accepted
    }

    private static func percentage(_ part: Int, of all: Int) -> Double? {
        all == 0 ? nil : (Double(part) * 1000 / Double(all)).rounded() / 10
    }
}
