import Domain
import FoundationEssentials
import Postgres
import TestSupport
import Testing
import Vault

@testable import Service

/// What unfinished uploads count as, while others begin, end and complete at the same moment.
@Suite(.hangs) struct UnfinishedUploadsTests {
    private struct Scene {
        static let now = Instant(microsecondsSince1970: 1_780_000_000_000_000)
        let heavy = AccountID(UUID())
        let other = AccountID(UUID())
        let pool: PostgresPool
        let owner: PostgresConnection
        var uploads: Uploads { Uploads(database: pool) }

        static func run(_ body: @Sendable (Scene) async throws -> Void) async throws {
            try await ImportFixture.run { log in
                try await log.database.withConnection(log.database.owner) { owner in
                    try await body(Scene(pool: log.pool, owner: owner))
                }
            }
        }

        /// Begins an upload; all together may count as 100.
        func begin(
            _ bytes: Int, by account: AccountID, after seconds: Int = 0
        ) async throws -> (id: UUID, outcome: Uploads.Beginning) {
            let share = PhotoQuotas.Limits(unfinishedBytes: 100).share(isVerified: true)
            let upload = Upload(id: UUID(), account: account, sighting: SightingID(UUID()), key: UUID(), length: nil)
            let beginning = try await uploads.begin(
                upload, countingAs: bytes, of: share, at: Self.now.adding(seconds: seconds))
            return (upload.id, beginning)
        }

        /// The bytes that an account has used of its quota.
        func used(by account: AccountID) async throws -> Int64 {
            try await owner.query("select bytes from vault.photo_quotas where account = \(account.uuid)")
                .onlyRow().decode("bytes")
        }

        func upload(_ id: UUID) async throws -> Upload? {
            try await uploads.upload(id, of: heavy, at: Self.now)
        }

        func waitForLock() async throws {
            try await until("nothing waits for the row") {
                // Its own transaction would see the same sessions again and again.
                _ = try await owner.query("select pg_stat_clear_snapshot()")
                return try await owner.query(
                    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
                ).count == 1
            }
        }

        /// Lets another account begin an upload while the oldest one of the heavy account is being changed.
        /// - Returns: the oldest upload, the newer one, and those that gave way.
        func beginDuring(
            _ change: (UUID) -> SQL
        ) async throws -> (oldest: UUID, newer: UUID, outcome: Uploads.Beginning) {
            let (oldest, _) = try await begin(30, by: heavy)
            let (newer, _) = try await begin(60, by: heavy, after: 1)
            _ = try await owner.query("begin")
            _ = try await owner.query(change(oldest))
            async let begun = begin(50, by: other, after: 2)
            try await waitForLock()
            _ = try await owner.query("commit")
            return (oldest, newer, try await begun.outcome)
        }
    }

    @Test func `all uploads stay within their limit when one ends while another needs its room`() async throws {
        try await Scene.run { scene in
            let (oldest, newer, outcome) = try await scene.beginDuring { "delete from vault.uploads where id = \($0)" }
            #expect(outcome == .begun(ended: [newer]), "of 60 and 50, one has to go")
            #expect(try await scene.upload(oldest) == nil)
            #expect(try await scene.upload(newer)?.isEnded == true)
        }
    }

    @Test func `an upload that completes while another needs its room is kept`() async throws {
        try await Scene.run { scene in
            let (oldest, newer, outcome) = try await scene.beginDuring {
                "update vault.uploads set complete = true where id = \($0)"
            }
            #expect(outcome == .begun(ended: [newer]))
            #expect(try await scene.upload(oldest)?.isComplete == true)
        }
    }

    @Test func `an upload that was ended to make room counts once, as the bytes that arrived, and may still complete`()
        async throws
    {
        try await Scene.run { scene in
            let (first, _) = try await scene.begin(40, by: scene.heavy)
            let (second, _) = try await scene.begin(50, by: scene.heavy, after: 1)
            #expect(try await scene.begin(30, by: scene.other).outcome == .begun(ended: [first]))
            #expect(try await scene.used(by: scene.heavy) == 90, "until the process that has the bytes says how many")
            for bytes in [7, 7, 40] { try await scene.uploads.count(first, as: bytes) }
            #expect(try await scene.used(by: scene.heavy) == 57)
            #expect(try await scene.uploads.gone(of: [first, second]) == [first])
            try await scene.uploads.complete(first, countingAsNothing: false)
            let upload = try #require(try await scene.upload(first))
            #expect(upload.isComplete && !upload.isEnded)
        }
    }

    @Test func `an erasure waits for an upload that ends, and locks nothing that the upload needs`() async throws {
        try await Scene.run { scene in
            let (upload, _) = try await scene.begin(40, by: scene.heavy)
            let erased = scene.heavy.uuid
            _ = try await scene.owner.query(
                "insert into vault.erasures (account, position, sightings) values (\(erased), 1, 'keep')")
            _ = try await scene.owner.query("begin")
            _ = try await scene.owner.query("select from vault.uploads where id = \(upload) for update")
            async let forgotten: Void = Erasures(database: scene.pool).forget(scene.heavy, isLast: true)
            try await scene.waitForLock()
            _ = try await scene.owner.query(
                "select from vault.photo_quotas where account = \(erased) for update nowait")
            _ = try await scene.owner.query("commit")
            try await forgotten
            #expect(try await scene.upload(upload) == nil)
        }
    }

    @Test func `the first length that is set for an upload stays, and counts`() async throws {
        try await Scene.run { scene in
            let (upload, _) = try await scene.begin(90, by: scene.heavy)
            #expect(try await scene.uploads.setLength(10, of: upload))
            #expect(try await !scene.uploads.setLength(80, of: upload))
            #expect(try await scene.uploads.setLength(10, of: upload), "the same one again")
            #expect(try await scene.upload(upload)?.length == 10)
            #expect(try await scene.used(by: scene.heavy) == 10)
            #expect(try await !scene.uploads.setLength(10, of: UUID()), "one that is gone")
        }
    }
}
