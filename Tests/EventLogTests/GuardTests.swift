import FoundationEssentials
import Logging
import Postgres
import TestSupport
import Testing

@testable import EventLog

struct GuardTests {
    private static let attacks: [SQL] = [
        "update log.events set payload = '{}'", "update log.events_from_1 set payload = '{}'",
        "update log.events set position = position + 1", "delete from log.events", "delete from log.events_from_1",
        "truncate log.events", "truncate log.events_from_1", "delete from log.streams", "truncate log.streams",
        "delete from log.head",
    ]

    @Test func `for the service's role, on the parent and on its partitions`() async throws {
        try await LogFixture.run { log in
            try await log.fill(2)
            let more: [SQL] = [
                "update log.streams set version = 9", "update log.head set epoch = 9",
                "insert into log.events select * from log.events", "alter table log.events disable trigger all",
                "drop table log.events_from_1", "set session_replication_role = replica",
                "insert into vault.content select stream, 'x', position, 'y' from log.events",
                "update vault.content set value = 'forged'", "update log.clock_mark set at = 'infinity'",
                "select log.redact(1, 'place', null, null, null)",
            ]
            for attack in Self.attacks + more {
                let error = await #expect(throws: PostgresError.self, "\(attack)") { try await log.pool.query(attack) }
                #expect(error?.sqlState == "42501", "\(attack)")
            }
            #expect(try await log.reader.page(after: 0, limit: 9).count == 2)
        }
    }

    @Test func `even for its owner, and with triggers of replication's kind`() async throws {
        try await LogFixture.run { log in
            try await log.fill(2)
            for role in ["origin", "replica"] {
                _ = try await log.owner.query("set session_replication_role = \(literal: role)")
                for attack in Self.attacks where !(role == "replica" && Self.isPlainTrigger(attack)) {
                    let error = await #expect(throws: PostgresError.self, "\(attack)") {
                        try await log.owner.query(attack)
                    }
                    #expect(error?.sqlState == "42501", "\(attack)")
                }
            }
            #expect(try await log.reader.page(after: 0, limit: 9).count == 2)
        }
    }

    @Test func `a type of the service's own making is not what the owner's functions take for PostgreSQL's`()
        async throws
    {
        try await LogFixture.run { log in
            let service = try await PostgresConnection.connect(log.database.service, logger: Logger(label: "test"))
            try await service.executeScript(
                """
                create schema evil;
                create table evil.seen (who text);
                create function evil.look(v pg_catalog.json) returns boolean language plpgsql as
                    'begin insert into evil.seen values (current_user); return true; end';
                create function evil.look(v pg_catalog.text) returns boolean language plpgsql as
                    'begin insert into evil.seen values (current_user); return true; end';
                create domain pg_temp.json as pg_catalog.json check (evil.look(value));
                create domain pg_temp.text as pg_catalog.text check (evil.look(value));
                grant usage on schema evil to public;
                grant insert on evil.seen to public;
                """)
            let call = AppendStatement.sql([.sample()], epoch: 1, sentAt: Date())
            _ = try await service.query(call)
            _ = try await service.query("select log.add_partitions(9)")
            let seen = try await service.query("select who from evil.seen where who <> current_user")
            #expect(seen.count == 0)
            await service.close()
        }
    }

    @Test func `the redactor cannot make a tombstone of its own, nor change one`() async throws {
        try await LogFixture.run { log in
            try await log.fill(2)
            _ = try await Redaction.redact(position: 1, reason: "place", log.owner)
            for position: Int64 in [1, 2] {
                let error = await #expect(throws: PostgresError.self) {
                    try await log.owner.executeScript(
                        """
                        begin;
                        grant update on log.events to skein_redactor;
                        set local role skein_redactor;
                        update log.events set payload = '{"redacted": {"sha256": "00"}}' where position = \(position);
                        commit;
                        """)
                }
                #expect(error?.sqlState == "42501")
                try await log.owner.executeScript("rollback")
            }
            #expect(try await LogVerification.run(log.pool).isSound)
        }
    }

    /// The small tables' triggers are of the ordinary kind.
    private static func isPlainTrigger(_ attack: SQL) -> Bool {
        attack.text.contains("streams") || attack.text.contains("head")
    }

    @Test func `a redaction leaves a tombstone with the hash, an event, and no content`() async throws {
        try await LogFixture.run { log in
            let stream = UUID()
            let note = AppendCommand.Content(field: "notes", value: "at my house")
            _ = try await log.appender.append(.sample(stream: stream, content: [note]))
            let position = try await Redaction.redact(position: 1, reason: "personal-data", log.owner)
            #expect(position == 2)
            #expect(try await Redaction.redact(position: 1, reason: "personal-data", log.owner) == 2)
            let events = try await log.reader.stream(stream)
            #expect(events.map(\.type) == ["SightingSubmitted", "PayloadRedacted"])
            #expect(events[0].payload.contains("\"redacted\"") && events[0].payload.contains("sha256"))
            #expect(!events[0].payload.contains("confidence"))
            #expect(try await log.pool.query("select from vault.content").count == 0)
            let verification = try await LogVerification.run(log.pool)
            #expect(verification.isSound, "\(verification)")
        }
    }

    @Test func `what is not there, or is a redaction itself, cannot be redacted`() async throws {
        try await LogFixture.run { log in
            try await log.fill(1)
            _ = try await Redaction.redact(position: 1, reason: "place", log.owner)
            for position: Int64 in [2, 3] {
                let error = await #expect(throws: PostgresError.self) {
                    try await Redaction.redact(position: position, reason: "place", log.owner)
                }
                #expect(error?.sqlState?.rawValue == "SKE05")
            }
        }
    }
}
