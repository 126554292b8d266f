import Domain
import EventLog
import Postgres
import TestSupport
import Testing

@testable import Imports
@testable import Service

/// A log in which appends wait, as for a lock, from a position on.
struct HeldLog: Sendable {
    /// Is true of the session whose append waits.
    static let waiting = "query like '%log.append%' and wait_event_type = 'Lock'"

    private let owner: PostgresConnection

    /// - Parameter position: the last one at which an event is appended before ``release()``.
    init(after position: Int64, _ owner: PostgresConnection) async throws {
        self.owner = owner
        try await owner.executeScript(
            """
            create or replace function public.hold() returns trigger language plpgsql security definer as $$
            begin perform pg_advisory_xact_lock_shared(1); return new; end $$;
            drop trigger if exists hold on log.events;
            create trigger hold before insert on log.events for each row when (new.position > \(position))
                execute function public.hold();
            select pg_advisory_lock(1);
            """)
    }

    /// Returns when an append waits.
    func waitForAppend() async throws {
        try await until("an append waits") {
            try await sessions(Self.waiting) == 1
        }
    }

    /// The number of other sessions in the database of which a condition is true.
    func sessions(_ condition: String) async throws -> Int {
        try await owner.query(
            """
            select from pg_stat_activity
             where datname = current_database() and pid <> pg_backend_pid() and \(fragment: SQL(unsafeText: condition))
            """
        ).count
    }

    /// The number of sessions that hold or await the lock of the imports into the fixture's dataset.
    func locks(in log: ImportFixture) async throws -> Int {
        let dataset = DatasetID(log.log.signer.id(of: "dataset", ImportFixture.title))
        return try await owner.query(
            """
            select from pg_locks
             where database = (select oid from pg_database where datname = current_database())
               and locktype = 'advisory' and objsubid = 1
               and (classid::bigint << 32 | objid::bigint) = hashtextextended(\("import rows_\(dataset)"), 0)
            """
        ).count
    }

    /// Lets appends go on.
    func release() async throws {
        try await owner.query("select pg_advisory_unlock(1)")
    }
}

extension ImportFixture {
    /// Runs something with a log that is held after a position.
    func holding(after position: Int64, _ body: (HeldLog) async throws -> Void) async throws {
        try await database.withConnection(database.owner) { owner in
            try await body(try await HeldLog(after: position, owner))
        }
    }

    /// Cancels an import, or the undo of one, while an append after a position waits. The server ends its session a
    /// little later, and with it the lock of the dataset.
    func stopping(after position: Int64, _ work: @escaping @Sendable () async throws -> Void) async throws {
        try await holding(after: position) { held in
            let running = Task { try await work() }
            try await held.waitForAppend()
            let locks = try await held.locks(in: self)
            #expect(locks == 1)
            running.cancel()
            try await held.release()
            await #expect(throws: (any Error).self) { try await running.value }
            try await until("the dataset is locked") { try await held.locks(in: self) == 0 }
            try await until("appends are in progress") { appender.depth == 0 }
        }
    }
}
