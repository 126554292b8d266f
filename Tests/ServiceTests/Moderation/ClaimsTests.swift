import Domain
import FoundationEssentials
import NIOConcurrencyHelpers
import Postgres
import TestSupport
import Testing
import Vault

@testable import Service

/// What moderators hold when their requests come at once.
@Suite(.hangs) struct ClaimsTests {
    private static let now = Instant(microsecondsSince1970: 1_780_000_000_000_000)

    private static func items(_ ids: some Sequence<UUID>) -> [Claims.Item] {
        ids.map { Claims.Item(subject: "sighting", id: $0, version: 1) }
    }

    /// The later request of the two began earlier, and waits for a row that a third session is writing.
    @Test func `no request takes back what another one of the same moderator has returned`() async throws {
        try await ImportFixture.run { log in
            let moderator = AccountID(UUID())
            let claims = Claims(database: log.pool)
            let held = try await claims.claim(
                Self.items((1..<Claims.most).map { _ in UUID() }), by: moderator, at: Self.now)
            #expect(held.held.count == Claims.most - 1 && !held.isFull)
            let contested = UUID()
            try await log.database.withConnection(log.database.owner) { owner in
                _ = try await owner.query("begin")
                _ = try await owner.query(
                    """
                    insert into vault.claims (subject, id, moderator, until)
                    values ('sighting', \(contested), \(UUID()), now())
                    """)
                let isDone = NIOLockedValueBox(false)
                async let slow = claim([contested], at: Self.now, by: moderator, log)
                try await until("the first request does not wait") { try await waiting(owner) == 1 }
                async let fast = {
                    let held = try await claim([UUID()], at: Self.now.adding(seconds: 1), by: moderator, log)
                    isDone.withLockedValue { $0 = true }
                    return held
                }()
                try await until("the second request neither waits nor ends") {
                    if isDone.withLockedValue(\.self) { return true }
                    return try await waiting(owner) == 2
                }
                _ = try await owner.query("rollback")
                let returned = try await slow.union(fast)
                let stored = try await owner.query("select id from vault.claims where moderator = \(moderator.uuid)")
                    .rows.map { try $0.decode("id", as: UUID.self) }
                #expect(stored.count == Claims.most)
                #expect(returned.count == 1 && returned.isSubset(of: stored))
            }
        }
    }

    @Test func `a moderator holds so many, the oldest first, and renews them`() async throws {
        try await ImportFixture.run { log in
            let (one, other) = (AccountID(UUID()), AccountID(UUID()))
            let claims = Claims(database: log.pool)
            let ids = (0..<Claims.most + 5).map { _ in UUID() }
            let first = try await claims.claim(Self.items(ids), by: one, at: Self.now)
            #expect(first.held == Set(ids.prefix(Claims.most)) && first.isFull)
            let again = try await claims.claim(Self.items(ids), by: one, at: Self.now.adding(seconds: 5))
            #expect(again.held == first.held && again.isFull)
            let later = Self.now.adding(seconds: Claims.seconds + 1)
            let rest = try await claims.claim(Self.items(ids.suffix(9)), by: other, at: later)
            #expect(rest.held == Set(ids.suffix(5)) && !rest.isFull, "the others were renewed")
        }
    }

    /// Claims sightings on a connection of its own.
    private func claim(
        _ ids: [UUID], at now: Instant, by moderator: AccountID, _ log: ImportFixture
    ) async throws -> Set<UUID> {
        try await log.database.withConnection(log.database.service) { connection in
            try await Claims(database: connection).claim(Self.items(ids), by: moderator, at: now).held
        }
    }

    /// The sessions that wait for a lock.
    private func waiting(_ owner: PostgresConnection) async throws -> Int {
        // Its own transaction would see the same ones again and again.
        _ = try await owner.query("select pg_stat_clear_snapshot()")
        return try await owner.query(
            "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
        ).count
    }
}
