import Domain
import EventLog
import FoundationEssentials
import Postgres
import ReadModels
import Vault

/// Reads what was said in the reviews of sightings and photos.
struct ReviewConversations: Sendable {
    private let database: any PostgresQuerying

    /// Reads through a connection or a pool.
    init(_ database: any PostgresQuerying) {
        self.database = database
    }

    /// The words about each of some sightings and photos, the oldest first. It takes one statement.
    /// - Parameter position: only words up to this position.
    /// - Throws: what the database throws; `PayloadFault`.
    func words(of streams: [UUID], upTo position: Int64 = .max) async throws -> [UUID: [ReviewWord]] {
        guard !streams.isEmpty else { return [:] }
        let result = try await database.query(
            """
            select e.stream, e.kind, e.type, e.payload::text as payload, e.recorded_at, e.version, e.position, e.actor,
                   e.command,
                   (select c.value from vault.content c
                     where c.stream = e.stream and c.field = any(\(Self.fields)) and c.position = e.position
                     limit 1) as text,
                   a.observer as moderator, a.name
              from unnest(\(streams)) i (stream)
             cross join lateral (
                select s.kind, s.first_position from log.streams s where s.id = i.stream offset 0) s
             cross join lateral (
                select e.stream, s.kind, e.version, e.position, e.type, e.recorded_at, e.actor, e.command, e.payload,
                       case when e.payload ->> 'isModerator' = 'true' then e.payload ->> 'by'
                            else e.payload ->> 'moderator' end as moderator
                  from log.events e
                 where e.stream = i.stream and e.version >= 1 and e.position >= s.first_position
                   and e.position + 0 <= \(position)
                 order by e.version offset 0) e
              left join lateral (
                select a.observer, \(fragment: ContentStore.newest(.displayName, of: "a.id")) as name
                  from \(identifier: ReadModel.accounts.schema).accounts a
                 where a.id = e.moderator::uuid offset 0) a on true
             where e.type = any(\(Self.types))
             order by e.stream, e.version
            """)
        var words: [UUID: [ReviewWord]] = [:]
        for row in result.rows {
            guard var word = try Self.word(row) else { continue }
            word.text = try row.decode("text")
            (word.version, word.position) = (try row.decode("version"), try row.decode("position"))
            (word.actor, word.command) = (try row.decode("actor"), try row.decode("command"))
            let moderator: UUID? = try row.decode("moderator")
            word.name = try row.decode("name") ?? moderator.map { ObserverID($0).defaultName }
            words[try row.decode("stream"), default: []].append(word)
        }
        return words
    }

    private static func word(_ row: PostgresRow) throws -> ReviewWord? {
        let type: String = try row.decode("type")
        let payload = Array(try row.decode("payload", as: String.self).utf8)
        let moment = Instant(try row.decode("recorded_at", as: Date.self))
        let isPhoto = try row.decode("kind", as: String.self) == StreamKind.photo.rawValue
        return isPhoto
            ? ReviewWord(try PhotoEvent(type: type, payload: payload), at: moment)
            : ReviewWord(try SightingEvent(type: type, payload: payload), at: moment)
    }

    /// The texts of reviews.
    private static let fields = [ContentField.decisionNote, .answer, .appeal, .remarks, .flagNote].map(\.rawValue)

    /// The events of reviews.
    private static let types: [String] = {
        let kinds: Set<HistoryKind> = [
            .approved, .rejected, .secondOpinionAsked, .reopened, .questionAsked, .answered, .appealed, .identified,
            .hidden, .unhidden, .released, .flagged,
        ]
        return (PhotoEvent.table.map(\.description) + SightingEvent.table.map(\.description))
            .filter { $0.historyKind.map(kinds.contains) == true }.map(\.type)
    }()
}
