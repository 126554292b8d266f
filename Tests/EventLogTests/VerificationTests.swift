import FoundationEssentials
import Postgres
import TestSupport
import Testing

@testable import EventLog

struct VerificationTests {
    /// A way to damage a log, and the rule that must notice it.
    struct Damage {
        var rule: LogRule
        var sql: String
    }

    // In the log below, stream A has positions 1, 4, 7 and 9 (a redaction of 1), B has 2, 5 and 8, C has 3, D has 6.
    static let damages: [Damage] = [
        Damage(rule: .positions, sql: "delete from log.events where position = 3"),
        Damage(rule: .streams, sql: "delete from log.events where position = 3"),
        Damage(rule: .versions, sql: "delete from log.events where position = 4"),
        Damage(rule: .versions, sql: swap(4, 7)), Damage(rule: .versions, sql: swap(1, 4)),
        Damage(rule: .streams, sql: swap(3, 6)), Damage(rule: .streams, sql: swap(2, 3)),
        Damage(rule: .times, sql: "update log.events set recorded_at = now() - interval '1 h' where position = 4"),
        Damage(rule: .times, sql: "update log.events set recorded_at = now() + interval '1 h' where position = 5"),
        Damage(rule: .versions, sql: "update log.events set version = 5 where position = 7"),
        Damage(rule: .once, sql: "update log.events set version = 2 where position = 8"),
        Damage(rule: .versions, sql: "update log.events set version = 1 where position = 5"),
        Damage(rule: .once, sql: "update log.events set stream = \(stream(of: 2)), version = 1 where position = 3"),
        Damage(rule: .streams, sql: "update log.streams set version = 2 where first_position = 2"),
        Damage(rule: .streams, sql: "update log.streams set version = 4 where first_position = 2"),
        Damage(rule: .streams, sql: "update log.streams set first_position = 4 where first_position = 3"),
        Damage(rule: .once, sql: "delete from log.streams where first_position = 3"),
        Damage(rule: .versions, sql: "delete from log.streams where first_position = 2"),
        Damage(
            rule: .commands,
            sql: """
                update log.events e set command = f.command from log.events f where f.position = 2 and e.position = 8
                """),
        Damage(
            rule: .redactions,
            sql: """
                update log.events set payload = '{"redacted": {"reason": "legal", "sha256": "00"}}' where position = 5
                """),
        Damage(rule: .redactions, sql: "update log.events set payload = '{}' where position = 1"),
        Damage(
            rule: .redactions,
            sql: """
                update log.events set payload = json_build_object('redacted', json_build_object(
                    'reason', 'place', 'sha256', repeat('ab', 32))) where position = 1
                """),
        Damage(rule: .redactions, sql: "update log.events set payload = '{\"position\": 4}' where position = 9"),
        Damage(rule: .content, sql: "update vault.content set position = 3 where position = 5"),
        Damage(rule: .content, sql: "update vault.content set stream = \(stream(of: 1)) where position = 5"),
        Damage(
            rule: .checkpoints,
            sql: """
                insert into model.checkpoints (name, version, position, definition, epoch, build)
                values ('m', 1, 10, '', 1, gen_random_uuid())
                """),
    ]

    @Test func `damage is found by its rule, in slices of any size`() async throws {
        try await LogFixture.run { log in
            try await fill(log)
            let tables = ["log.events", "log.streams", "vault.content", "model.checkpoints"]
            for (number, table) in tables.enumerated() {
                try await log.owner.executeScript(
                    "alter table \(table) disable trigger all; create table sound_\(number) as table \(table)")
            }
            for damage in Self.damages {
                try await log.owner.executeScript(damage.sql)
                for slice: Int64 in [2, 50_000] {
                    let verification = try await LogVerification.run(log.pool, slice: slice)
                    let broken = verification.checks.filter { $0.broken > 0 }.map(\.name)
                    #expect(broken.contains(damage.rule.name), "\(damage) in slices of \(slice): \(verification)")
                }
                for (number, table) in tables.enumerated() {
                    try await log.owner.executeScript(
                        "delete from \(table); insert into \(table) select * from sound_\(number)")
                }
            }
            #expect(try await LogVerification.run(log.pool).isSound)
        }
    }

    @Test func `a sound log is sound in slices of any size, beside appends, and no snapshot outlives a slice`()
        async throws
    {
        try await LogFixture.run { log in
            try await fill(log)
            for slice: Int64 in [1, 2, 3, 50_000] {
                var appends = 3
                let verification = try await LogVerification.run(log.pool, slice: slice) {
                    if appends > 0 { try await log.flood(5) }
                    appends -= 1
                    // One that outlives a slice would stay until the next; one of a session that begins ends soon.
                    try await until("no session has a snapshot") { try await snapshots(log) == 0 }
                }
                #expect(verification.isSound, "\(verification)")
                #expect(verification.checks.allSatisfy { $0.examined > 0 || $0.name == LogRule.checkpoints.name })
                #expect(verification.checks.first?.examined == verification.head)
            }
        }
    }

    /// The number of other sessions that have a snapshot or a transaction.
    private func snapshots(_ log: LogFixture) async throws -> Int {
        try await log.owner.query(
            """
            select from pg_stat_activity
             where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
               and (backend_xmin is not null or state like 'idle in transaction%')
            """
        ).count
    }

    /// Nine events in partitions of three, with content and a redaction.
    private func fill(_ log: LogFixture) async throws {
        try await log.owner.executeScript(
            """
            drop table log.events_from_1, log.events_from_10000001, log.events_from_20000001;
            update log.head set partition_size = 3;
            select log.add_partitions(6);
            """)
        let (a, b) = (UUID(), UUID())
        for (stream, expected) in [(a, 0), (b, 0), (UUID(), 0), (a, 1), (b, 1), (UUID(), 0), (a, 2), (b, 2)] {
            let note = AppendCommand.Content(field: "notes", value: "a note")
            _ = try await log.appender.append(.sample(stream: stream, expected: expected, content: [note]))
        }
        _ = try await Redaction.redact(position: 1, reason: "place", log.owner)
    }

    private static func stream(of position: Int) -> String {
        "(select stream from log.events where position = \(position))"
    }

    /// Exchanges two positions.
    private static func swap(_ one: Int, _ other: Int) -> String {
        """
        create temp table swapped as select * from log.events where position in (\(one), \(other));
        delete from log.events where position in (\(one), \(other));
        update swapped set position = \(one + other) - position;
        insert into log.events select * from swapped;
        drop table swapped
        """
    }
}
