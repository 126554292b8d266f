package import Domain
import EventLog
import FoundationEssentials
package import Postgres

/// A state of a sighting as anyone may see it, and the moderator who caused it.
package struct PublicState: Hashable, Sendable {
    package let sighting: PublicSighting
    /// The moderator's number in this sighting; nil if no moderator caused it, and if guarded.
    package let moderator: Int?
}

/// A decision on a photo of a public sighting.
package struct PublicPhotoDecision: Hashable, Sendable {
    /// The type of its event.
    package let change: String
    /// The public id of the photo; nil while it is not shown.
    package let photo: PhotoID?
    package let recordedAt: Instant
    /// A reason code; `content` for those that reveal something about the photographer.
    package let reason: String?
    /// The moderator's number in the sighting.
    package let moderator: Int
    /// The position of its event. Must never be returned to clients.
    package let knownSince: Int64
}

/// Reads the public history of a sighting. Every answer is as of a ``PublicMoment``.
package struct PublicHistoryQueries: Sendable {
    private static let schema: SQL = "\(identifier: ReadModel.sightingsPublic.schema)"

    private let database: any PostgresQuerying

    /// Reads through a connection or a pool; statements are short and change nothing.
    package init(_ database: any PostgresQuerying) {
        self.database = database
    }

    /// The states of a sighting up to a moment, the oldest first, each as it may be shown then; of a guarded one, only
    /// the present state.
    /// - Throws: `PostgresError`.
    package func states(
        of id: SightingID, asOf moment: PublicMoment
    ) async throws(PostgresError) -> [PublicState] {
        let result = try await database.query(
            """
            select \(fragment: PublicSighting.selection),
                   case when not s.guarded then (
                       select m.moderator from \(fragment: Self.schema).moderator_events m
                        where m.position = lower(s.valid) and m.photo is null) end as moderator
              from \(fragment: Self.schema).records s
             where s.id = \(id.uuid) and \(fragment: moment.historyCondition)
             order by lower(s.valid), lower(s.shown)
            """)
        var states: [PublicState] = []
        for row in result.rows {
            states.append(PublicState(sighting: try PublicSighting(row), moderator: try row.decode("moderator")))
        }
        return states
    }

    /// The decisions up to a moment on photos of a sighting that was shown with its times then, the oldest first. Those
    /// on deleted photos are left out.
    /// - Throws: `PostgresError`.
    package func photoDecisions(
        on id: SightingID, asOf moment: PublicMoment
    ) async throws(PostgresError) -> [PublicPhotoDecision] {
        let result = try await database.query(
            """
            select m.change, m.recorded_at, m.reason, m.moderator, m.position,
                   (select s.id from \(fragment: PublicPhotoQueries.table)
                     where s.record = \(id.uuid) and s.photo = m.photo
                       and \(fragment: moment.photoCondition)) as photo
              from \(fragment: Self.schema).records s
              join \(fragment: Self.schema).moderator_events m
                on m.sighting = \(fragment: PublicSightingQueries.stream) and s.valid @> m.position
             where s.id = \(id.uuid) and s.kind = 'record' and not s.guarded and s.shown @> \(moment.shown)
               and m.photo is not null and m.position <= \(moment.known)
               and (m.deleted <= \(moment.shown)) is not true
             order by m.position
            """)
        var decisions: [PublicPhotoDecision] = []
        for row in result.rows { decisions.append(try PublicPhotoDecision(row)) }
        return decisions
    }
}

extension PublicPhotoDecision {
    init(_ row: PostgresRow) throws(PostgresError) {
        change = try row.decode("change")
        photo = try row.id(optional: "photo")
        recordedAt = try row.required(row.instant("recorded_at"), "recorded_at")
        reason = try row.decode("reason")
        moderator = try row.decode("moderator")
        knownSince = try row.decode("position")
    }
}
