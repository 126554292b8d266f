package import Domain
package import EventLog
package import Postgres

/// Accepted records that speak for or against a sighting. For moderators only: they reveal exact places.
package struct SightingEvidence: Hashable, Sendable {
    /// Accepted records of the taxon, without the sighting itself.
    package let acceptedRecords: Int
    /// Whether its margin cell is one of the taxon's ten southernmost or northernmost in the region.
    package let isAtMargin: Bool
    /// Metres to the nearest accepted record; nil where there is none.
    package let nearestMetres: Double?
    /// The percentage of accepted records further south; nil where there is none.
    package let latitudePercentile: Double?
    /// The percentage of accepted records earlier in the year; nil where there is none.
    package let dayOfYearPercentile: Double?
    /// The observer's other records of the taxon that were approved.
    package let observerApproved: Int
    /// The observer's other records of the taxon that were rejected.
    package let observerRejected: Int
}

/// Looks up the evidence for sightings among exact records.
package struct EvidenceQueries: Sendable {
    /// The read model that is queried.
    package static let model = ReadModel.sightingsExact

    private let database: any PostgresQuerying

    /// Reads through a connection or a pool; statements are short and change nothing.
    package init(_ database: any PostgresQuerying) {
        self.database = database
    }

    /// The evidence for sightings as they are now; those that the model does not have are left out.
    /// - Throws: `PostgresError`.
    package func evidence(
        for sightings: [SightingID]
    ) async throws(PostgresError) -> [SightingID: SightingEvidence] {
        guard !sightings.isEmpty else { return [:] }
        let result = try await database.query(
            """
            select id, accepted, at_margin, nearest, below, earlier, observer_accepted, observer_rejected
              from \(identifier: Self.model.schema).evidence(\(sightings.map(\.uuid)))
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
        nearestMetres = try row.decode("nearest")
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
