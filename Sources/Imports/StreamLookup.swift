import Domain
import EventLog
import FoundationEssentials
import Postgres
import Service

/// The result of a batched lookup for one stream.
struct FoundStream<State: Aggregate>: Sendable {
    var state = State()
    var version = 0
    /// The positions of its events, the oldest first.
    var positions: [Int64] = []
}

/// Reads many streams at once from the log itself, so that nothing depends on the progress of a read model.
struct StreamLookup: Sendable {
    let database: any PostgresQuerying

    /// The states of those streams that exist.
    ///
    /// The LIMITs keep the planner to one index probe a stream: on a log without statistics it would otherwise read
    /// all of it.
    /// - Throws: `PostgresError`, `PayloadFault`.
    func states<State: Aggregate>(
        of streams: [UUID], as type: State.Type = State.self
    ) async throws -> [UUID: FoundStream<State>] {
        guard !streams.isEmpty else { return [:] }
        let result = try await database.query(
            """
            select e.stream, e.version, e.position, e.type, e.payload
              from unnest(\(streams)) as asked (id)
             cross join lateral (
                select s.id, s.first_position from log.streams s where s.id = asked.id limit 1) s
             cross join lateral (
                select e.stream, e.version, e.position, e.type, e.payload from log.events e
                 where e.stream = s.id and e.position >= s.first_position
                 order by e.version limit 1000000000) e
            """)
        var found: [UUID: FoundStream<State>] = [:]
        for row in result.rows {
            let eventType: String = try row.decode("type")
            let payload = try row.decode("payload", as: PostgresJSON.self).text
            let event = try State.Event(type: eventType, payload: Array(payload.utf8))
            let stream: UUID = try row.decode("stream")
            let version = Int(try row.decode("version", as: Int32.self))
            found[stream, default: FoundStream()].add(event, version: version, position: try row.decode("position"))
        }
        return found
    }
}

extension FoundStream {
    fileprivate mutating func add(_ event: State.Event, version: Int, position: Int64) {
        state.evolve(event)
        self.version = version
        positions.append(position)
    }
}
