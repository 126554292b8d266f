package import Domain
import EventLog
import FoundationEssentials
package import Postgres

/// A state of a sighting's public history, with the values that say how the sighting was identified.
package struct IdentificationState: Hashable, Sendable {
    /// The public id.
    package let sighting: SightingID
    package let taxon: TaxonID?
    /// The type of the event that brought the state.
    package let change: String
    package let version: Int
    package let recordedAt: Instant
    package let status: SightingStatus?
    package let isImported: Bool
    /// The moderator's number in this sighting; nil if no moderator caused the state.
    package let moderator: Int?
}

extension IdentificationState {
    /// The only state of a record that has not changed since it was recorded; nil if it has, or if it is guarded.
    package init?(only row: PublicSighting) {
        guard row.version == 1, let change = row.change, let recordedAt = row.recordedAt else { return nil }
        self.init(
            sighting: row.id, taxon: row.taxon, change: change, version: 1, recordedAt: recordedAt, status: row.status,
            isImported: row.dataset != nil, moderator: nil)
    }
}

/// Reads how sightings were identified, as of a ``PublicMoment``.
package struct IdentificationQueries: Sendable {
    private let database: any PostgresQuerying

    /// Reads through a connection or a pool; statements are short and change nothing.
    package init(_ database: any PostgresQuerying) {
        self.database = database
    }

    /// The states up to a moment of some sightings, by their public ids, sorted by id and the oldest first: those of
    /// ``PublicHistoryQueries/states(of:asOf:)``, without those that are gone or guarded.
    /// - Throws: `PostgresError`.
    package func states(
        of ids: some Collection<SightingID>, asOf moment: PublicMoment
    ) async throws(PostgresError) -> [IdentificationState] {
        let result = try await database.query(
            """
            select s.id, s.taxon, s.change, s.version, s.recorded_at, s.status, s.dataset is not null as is_imported,
                   (select m.moderator from \(identifier: ReadModel.sightingsPublic.schema).moderator_events m
                     where m.position = lower(s.valid) and m.photo is null) as moderator
              from \(fragment: PublicSightingQueries.table)
             where s.id = any(\(ids.map(\.uuid))) and not s.guarded and s.kind <> 'gone'
               and \(fragment: moment.historyCondition)
             order by s.id, lower(s.valid), lower(s.shown)
            """)
        var states: [IdentificationState] = []
        states.reserveCapacity(result.count)
        for row in result.rows { states.append(try IdentificationState(row)) }
        return states
    }
}

extension IdentificationState {
    fileprivate init(_ row: PostgresRow) throws(PostgresError) {
        self.init(
            sighting: try row.id("id"), taxon: try row.id(optional: "taxon"), change: try row.decode("change"),
            version: try row.decode("version"),
            recordedAt: try row.required(row.instant("recorded_at"), "recorded_at"), status: try row.word("status"),
            isImported: try row.decode("is_imported"), moderator: try row.decode("moderator"))
    }
}
