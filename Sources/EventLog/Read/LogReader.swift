package import FoundationEssentials
package import Postgres

/// Reads the log: streams, pages, single events. Every reader sees a prefix of it, in order.
package struct LogReader: Sendable {
    private let database: any PostgresQuerying

    /// Reads through a pool, or through one connection to stay in its transaction's snapshot.
    package init(_ database: any PostgresQuerying) {
        self.database = database
    }

    /// A stream's events after a version, oldest first; empty for a stream that is not there.
    /// - Parameters:
    ///   - kind: only if the stream is of this kind; nil: of any.
    ///   - version: 0 for all of them.
    ///   - position: only events up to this position, for the state as of it.
    /// - Throws: `PostgresError`; ``StreamHole`` when a version is missing, which means the log is damaged.
    package func stream(
        _ id: UUID, kind: String? = nil, after version: Int = 0, upTo position: Int64 = .max
    ) async throws -> [RecordedEvent] {
        let ofKind: SQL = if let kind { "and s.kind = \(kind)" } else { "" }
        // `+ 0`: never analysed, two bounds make the index of positions look selective, and all of it above the first
        // position is read.
        let result = try await database.query(
            """
            select e.position, e.stream, e.version, e.type, e.command, e.fingerprint, e.actor,
                   e.recorded_at, e.nonce, e.payload
              from log.streams s
              join log.events e on e.stream = s.id and e.position >= s.first_position
             where s.id = \(id) \(fragment: ofKind) and e.version > \(Int32(clamping: version))
               and e.position + 0 <= \(position)
             order by e.version
            """)
        let events = try result.rows.map(RecordedEvent.init(row:))
        try Self.expectAll(events, of: id, after: version)
        return events
    }

    /// All events of some streams of a kind, oldest first in each; those that are not there are left out.
    /// - Throws: `PostgresError`; ``StreamHole`` when a version is missing, which means the log is damaged.
    package func streams(_ ids: [UUID], kind: String) async throws -> [UUID: [RecordedEvent]] {
        guard !ids.isEmpty else { return [:] }
        // `offset 0` and the condition on the version: each stream is looked up by index, whatever the statistics say.
        let result = try await database.query(
            """
            select e.position, e.stream, e.version, e.type, e.command, e.fingerprint, e.actor,
                   e.recorded_at, e.nonce, e.payload
              from unnest(\(ids)) q (id)
             cross join lateral (
                select s.first_position from log.streams s where s.id = q.id and s.kind = \(kind) offset 0) s
             cross join lateral (
                select e.* from log.events e
                 where e.stream = q.id and e.version >= 1 and e.position >= s.first_position
                 order by e.version offset 0) e
            """)
        let streams = Dictionary(grouping: try result.rows.map(RecordedEvent.init(row:)), by: \.stream)
        for (id, events) in streams { try Self.expectAll(events, of: id) }
        return streams
    }

    private static func expectAll(
        _ events: [RecordedEvent], of stream: UUID, after version: Int = 0
    ) throws(StreamHole) {
        for (index, event) in events.enumerated() where event.version != version + index + 1 {
            throw StreamHole(stream: stream, version: version + index + 1)
        }
    }

    /// The events with positions above `position`, lowest first, at most `limit` of them.
    /// - Throws: `PostgresError`; ``LogHole`` when a position is missing, which means the log is damaged.
    package func page(after position: Int64, limit: Int) async throws -> [RecordedEvent] {
        let result = try await database.query(
            """
            select position, stream, version, type, command, fingerprint, actor, recorded_at, nonce, payload
              from log.events where position > \(position) order by position limit \(limit)
            """)
        let events = try result.rows.map(RecordedEvent.init(row:))
        for (index, event) in events.enumerated() where event.position != position + Int64(index) + 1 {
            throw LogHole(position: position + Int64(index) + 1)
        }
        return events
    }

    /// The last position recorded at or before a moment; 0 when there is none.
    /// - Throws: `PostgresError`.
    package func position(at moment: Date) async throws(PostgresError) -> Int64 {
        try await database.query("select log.position_at(\(moment)) as position").onlyRow().decode("position")
    }

    /// Epoch, head and clock.
    /// - Throws: `PostgresError`.
    package func origin() async throws(PostgresError) -> LogOrigin {
        try await LogOrigin.read(database)
    }
}

/// A position below the head that holds no event: the log is damaged and must not be followed past it.
package struct LogHole: Error, Hashable, CustomStringConvertible {
    /// The position without an event.
    package let position: Int64

    package var description: String { "position \(position) is missing from the log" }
}

/// A version of a stream is missing or there twice, so no decision can be based on the stream.
package struct StreamHole: Error, Hashable, CustomStringConvertible {
    package let stream: UUID
    /// The first version that is not where it should be.
    package let version: Int

    package var description: String { "version \(version) of stream \(stream) is missing from the log" }
}

extension RecordedEvent {
    init(row: PostgresRow) throws(PostgresError) {
        self.init(
            position: try row.decode("position"), stream: try row.decode("stream"),
            version: Int(try row.decode("version", as: Int32.self)), type: try row.decode("type"),
            command: try row.decode("command"), fingerprint: try row.decode("fingerprint"),
            actor: try row.decode("actor"),
            recordedAt: try row.decode("recorded_at"), nonce: try row.decode("nonce"),
            payload: try row.decode("payload", as: PostgresJSON.self).text)
    }
}

/// An event as the log has it.
package struct RecordedEvent: Sendable, Hashable {
    /// Its position in the whole log: 1, 2, 3 … gap-free, in commit order.
    package let position: Int64
    /// The stream it belongs to.
    package let stream: UUID
    /// Its place in the stream, from 1.
    package let version: Int
    /// The event's name, such as `SightingSubmitted`.
    package let type: String
    /// The command it was decided for; only a command's first event carries it.
    package let command: UUID?
    /// 16 bytes that distinguish a retry of the command from another request; with ``command`` only.
    package let fingerprint: [UInt8]?
    /// The account that decided; nil for the system and the operator.
    package let actor: UUID?
    /// When it was recorded, by the database's clock. Never earlier than the event before it.
    package let recordedAt: Date
    /// 128 random bits, so that a published hash of the payload cannot be guessed.
    package let nonce: UUID
    /// The payload as it was written, a JSON object.
    package let payload: String
}
