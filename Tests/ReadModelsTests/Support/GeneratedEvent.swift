import FoundationEssentials
import Postgres

/// An event to be put into a log.
struct GeneratedEvent: Sendable {
    let stream: UUID
    let kind: String
    let type: String
    let payload: String

    init(_ stream: UUID, _ kind: String, _ type: String, _ members: [String: JSONText]) {
        self.init(stream, kind, type, payload: JSONText.object(members).text)
    }

    init(_ stream: UUID, _ kind: String, _ type: String, payload: String) {
        self.stream = stream
        self.kind = kind
        self.type = type
        self.payload = payload
    }
}

/// JSON as text, written by literals: `["count": 3, "taxon": .null]`.
struct JSONText: Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral
{
    let text: String

    init(stringLiteral value: String) { text = "\"\(value)\"" }
    init(integerLiteral value: Int) { text = "\(value)" }
    init(floatLiteral value: Double) { text = "\(value)" }
    init(booleanLiteral value: Bool) { text = "\(value)" }
    init(raw: String) { text = raw }

    static let null = JSONText(raw: "null")
    static func text(_ value: String) -> JSONText { JSONText(stringLiteral: value) }
    static func number(_ value: Double) -> JSONText { JSONText(floatLiteral: value) }
    static func number(_ value: Int) -> JSONText { JSONText(integerLiteral: value) }
    static func id(_ value: UUID) -> JSONText { .text(value.uuidString.lowercased()) }
    static func array(_ items: [JSONText]) -> JSONText {
        JSONText(raw: "[" + items.map(\.text).joined(separator: ",") + "]")
    }
    static func object(_ members: [String: JSONText]) -> JSONText {
        let sorted = members.sorted { $0.key < $1.key }
        return JSONText(raw: "{" + sorted.map { "\"\($0.key)\":\($0.value.text)" }.joined(separator: ",") + "}")
    }
}

/// Puts events into a log as its owner, numbering them as `log.append` would. Each is a command of its own, decided by
/// the moderator or the observer that it names.
struct LogWriter {
    let owner: PostgresConnection
    private(set) var head: Int64 = 0
    private var versions: [UUID: Int] = [:]

    init(_ owner: PostgresConnection) {
        self.owner = owner
    }

    /// - Parameter nonces: one an event; by default random ones.
    mutating func append(_ events: [GeneratedEvent], nonces: [UUID]? = nil) async throws {
        guard !events.isEmpty else { return }
        var (positions, numbers): ([Int64], [Int32]) = ([], [])
        for event in events {
            head += 1
            positions.append(head)
            versions[event.stream, default: 0] += 1
            numbers.append(Int32(versions[event.stream] ?? 0))
        }
        let (streams, kinds) = (events.map(\.stream), events.map(\.kind))
        _ = try await owner.query(
            """
            insert into log.events (position, stream, version, type, command, fingerprint, actor, recorded_at, nonce,
                                    payload)
            select e.position, e.stream, e.version, e.type, e.nonce, uuid_send(e.nonce),
                   coalesce(e.payload::json ->> 'moderator', e.payload::json ->> 'observer')::uuid,
                   timestamptz '2026-01-01T00:00:00Z' + e.position * interval '1 second', e.nonce, e.payload::json
              from unnest(\(positions), \(streams), \(numbers), \(events.map(\.type)),
                          \(nonces ?? events.map { _ in UUID() }), \(events.map(\.payload)))
                   e (position, stream, version, type, nonce, payload)
            """)
        _ = try await owner.query(
            """
            insert into log.streams (id, kind, version, first_position)
            select e.stream, min(e.kind), max(e.version), min(e.position)
              from unnest(\(positions), \(streams), \(numbers), \(kinds)) e (position, stream, version, kind)
             group by e.stream
            on conflict (id) do update set version = excluded.version
            """)
    }

    /// The event that `log.redact` appended.
    mutating func redacted(_ stream: UUID) {
        head += 1
        versions[stream, default: 0] += 1
    }
}
