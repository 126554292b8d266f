import Domain
import EventLog
import Foundation
import Logging
import Postgres
import ReadModels
import TestSupport
import Testing

@testable import Service

extension ServedRoutes {
    /// Appends copies of a stream's first event, with its content, as other streams. `n` is the copy's number.
    /// - Parameter id: an expression for the copy's stream.
    /// - Returns: the other streams, in the order of their numbers.
    @discardableResult
    func appendCopies(
        of stream: String, _ count: Int, _ changes: SQL, id: SQL = "gen_random_uuid()"
    ) async throws -> [UUID] {
        let stream = try #require(UUID(uuidString: stream))
        return try await database.withConnection(database.owner) { owner in
            let copies = try await owner.query(
                """
                with source as (
                    select e.*, s.kind from log.events e join log.streams s on s.id = e.stream
                     where e.stream = \(stream) and e.version = 1
                ), last as (
                    select position, recorded_at from log.events order by position desc limit 1
                ), copies as (
                    insert into log.events (position, stream, version, type, command, fingerprint, actor,
                                            recorded_at, nonce, payload)
                    select l.position + n, \(fragment: id), 1, e.type, gen_random_uuid(), e.fingerprint, e.actor,
                           l.recorded_at, gen_random_uuid(), (e.payload::jsonb || \(fragment: changes))::json
                      from source e, last l, generate_series(1, \(Int64(count))) n
                    returning position, stream
                ), streams as (
                    insert into log.streams (id, kind, version, first_position)
                    select c.stream, e.kind, 1, c.position from copies c, source e
                ), content as (
                    insert into vault.content (stream, field, position, value)
                    select c.stream, t.field, c.position, t.value
                      from copies c, vault.content t where t.stream = \(stream)
                )
                select stream from copies order by position
                """)
            return try copies.rows.map { try $0.decode("stream") }
        }
    }

    /// Appends a second event to every other stream of a kind that has only one.
    func appendToEveryOther(_ kind: String, _ type: String, _ payload: String) async throws {
        try await database.withConnection(database.owner) { owner in
            _ = try await owner.query(
                """
                with last as (
                    select position, recorded_at from log.events order by position desc limit 1
                ), streams as (
                    select s.id, row_number() over (order by s.first_position) as n
                      from log.streams s where s.kind = \(kind) and s.version = 1
                ), events as (
                    insert into log.events (position, stream, version, type, recorded_at, nonce, payload)
                    select l.position + n / 2, s.id, 2, \(type), l.recorded_at, gen_random_uuid(), \(payload)::json
                      from streams s, last l where n % 2 = 0
                    returning stream
                )
                update log.streams s set version = 2 from events e where s.id = e.stream
                """)
        }
    }

    /// As if the newest event of a stream had been recorded at a moment.
    func record(_ stream: String, at moment: Instant) async throws {
        let stream = try #require(UUID(uuidString: stream))
        try await database.withConnection(database.owner) { owner in
            _ = try await owner.query("alter table log.events_from_1 disable trigger all")
            let changed = try await owner.query(
                """
                update log.events_from_1 set recorded_at = \(moment.text())::text::timestamptz
                 where stream = \(stream) and version = (select version from log.streams where id = \(stream))
                returning position
                """)
            try #require(changed.rows.count == 1)
        }
    }

    /// Waits until every model has folded the whole log.
    func followToHead() async throws {
        let head = try await cases.ground.log.current().position
        for model in ReadModel.all {
            try #require(await cases.ground.log.wait(for: head, model: model.name, atMost: Hang.deadline))
        }
    }
}

extension TestDatabase {
    /// As if everything so far had been recorded some days earlier.
    /// - Parameter position: what was recorded up to it stays.
    func recordEarlier(byDays days: Int, after position: Int64 = 0) async throws {
        try await withConnection(owner) { owner in
            _ = try await owner.query("alter table log.events_from_1 disable trigger all")
            _ = try await owner.query(
                """
                update log.events_from_1 set recorded_at = recorded_at - \(Int64(days)) * interval '1 day'
                 where position > \(position)
                """)
            _ = try await owner.query("alter table log.events_from_1 enable trigger all")
        }
    }

    /// Rebuilds all read models, as `skein rebuild` does.
    func rebuildModels() async throws {
        let logger = Logger(label: "rebuild") { _ in SwiftLogNoOpLogHandler() }
        try await PostgresPool.withPool(service, PostgresPoolConfiguration().unhurried, logger: logger) { pool in
            for model in ReadModel.all { _ = try await ModelRebuilder(pool, logger: logger).rebuild(model) }
        }
    }
}
