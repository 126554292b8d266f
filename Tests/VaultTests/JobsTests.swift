import Domain
import Foundation
import Postgres
import Testing

@testable import Vault

struct JobsTests {
    private func add(_ kind: String, _ subject: UUID = UUID(), to vault: VaultFixture) async throws {
        try await vault.service.query("INSERT INTO vault.jobs (kind, subject) VALUES (\(kind), \(subject))")
    }

    private func pass(_ seconds: Double, in vault: VaultFixture) async throws {
        try await vault.owner.query("UPDATE vault.jobs SET due = due - make_interval(secs => \(seconds))")
    }

    @Test func `of processes that claim at once, one gets a job, and only of the kinds that it knows`() async throws {
        try await withVault { vault in
            let (jobs, subject) = (Jobs(database: vault.service), UUID())
            try await add("nest", subject, to: vault)
            try await add("brood", to: vault)
            var others: [Jobs] = []
            for _ in 0..<4 { others.append(Jobs(database: try await vault.anotherConnection())) }
            let claims: [Job] = try await withThrowingTaskGroup(of: Job?.self) { group in
                for jobs in others { group.addTask { try await jobs.claim(anyOf: ["nest"], for: .seconds(60)) } }
                return try await group.reduce(into: []) { if let claim = $1 { $0.append(claim) } }
            }
            #expect(claims.map(\.subject) == [subject] && claims.first?.attempts == 1)
            #expect(try await jobs.claim(anyOf: ["nest", "brood"], for: .seconds(60))?.kind == "brood")
        }
    }

    @Test func `what another process took over is no longer this one's`() async throws {
        try await withVault { vault in
            let jobs = Jobs(database: vault.service)
            try await add("nest", to: vault)
            let first = try #require(try await jobs.claim(anyOf: ["nest"], for: .seconds(30)))
            #expect(try await jobs.renew(first, progress: 7, for: .seconds(30)))
            try await pass(29, in: vault)
            #expect(try await jobs.claim(anyOf: ["nest"], for: .seconds(30)) == nil)
            try await pass(2, in: vault)
            let second = try #require(try await jobs.claim(anyOf: ["nest"], for: .seconds(30)))
            #expect(second.attempts == 2 && second.progress == 7, "it goes on where the first one was")
            // The progress of the first one counts all the same.
            #expect(try await !jobs.renew(first, progress: 9, for: .seconds(30)))
            try await jobs.goOn(first, after: .zero)
            try await jobs.failed(first, retryIn: .zero)
            try await jobs.drop(first)
            #expect(try await jobs.claim(anyOf: ["nest"], for: .seconds(30)) == nil)
            // Progress does not go back.
            #expect(try await jobs.renew(second, progress: 5, for: .seconds(30)))
            try await jobs.goOn(second, after: .zero)
            let third = try #require(try await jobs.claim(anyOf: ["nest"], for: .seconds(30)))
            #expect(third.attempts == 1 && third.progress == 9)
            try await jobs.failed(third, retryIn: .seconds(10))
            try await pass(9, in: vault)
            #expect(try await jobs.claim(anyOf: ["nest"], for: .seconds(30)) == nil)
            try await pass(2, in: vault)
            let last = try #require(try await jobs.claim(anyOf: ["nest"], for: .seconds(30)))
            #expect(last.attempts == 2)
            try await jobs.drop(last)
            #expect(try await vault.count("SELECT count(*) FROM vault.jobs") == 0)
        }
    }

    @Test func `a job that fails and is postponed in turn has as many attempts as have failed`() async throws {
        try await withVault { vault in
            let jobs = Jobs(database: vault.service)
            try await add("nest", to: vault)
            for failed in 0..<3 {
                for _ in 0..<2 {
                    let job = try #require(try await jobs.claim(anyOf: ["nest"], for: .seconds(60)))
                    #expect(job.attempts == failed + 1)
                    try await jobs.postpone(job, for: .seconds(10))
                    #expect(try await jobs.claim(anyOf: ["nest"], for: .seconds(60)) == nil)
                    try await pass(11, in: vault)
                }
                let job = try #require(try await jobs.claim(anyOf: ["nest"], for: .seconds(60)))
                #expect(job.attempts == failed + 1)
                try await jobs.failed(job, retryIn: .zero)
                // Its claim has ended.
                try await jobs.postpone(job, for: .zero)
            }
        }
    }

    @Test func `an export that is made again waits for those that were requested later`() async throws {
        try await withVault { vault in
            let jobs = ExportJobs(database: vault.service)
            let again = ExportID(UUID())
            #expect(try await jobs.remake(again, atMost: nil, after: .zero))
            try await add("export", to: vault)
            let first = try #require(try await jobs.claim(for: .seconds(60)))
            #expect(first.export != again)
            #expect(try await jobs.claim(for: .seconds(60))?.export == again)
            #expect(try await jobs.claim(for: .seconds(60)) == nil)
        }
    }

    @Test func `a mail has a job as long as it waits, whoever queues or deletes it`() async throws {
        try await withVault { vault in
            let insert: SQL = """
                INSERT INTO vault.mails (id, kind, account, address, expires_at)
                SELECT gen_random_uuid(), 'reset', gen_random_uuid(), 'wren@example.org', log.clock() + '1 day'
                  FROM generate_series(1, 3)
                """
            try await vault.service.query(insert)
            #expect(try await vault.count("SELECT count(*) FROM vault.jobs WHERE kind = 'mail-reset'") == 3)
            let mails = Mails(database: vault.service)
            try await mails.sent(try #require(try await mails.claimNext()))
            #expect(try await vault.count("SELECT count(*) FROM vault.jobs") == 2)
            try await vault.service.query("DELETE FROM vault.mails WHERE address IS NOT NULL")
            #expect(try await vault.count("SELECT count(*) FROM vault.jobs") == 0)
        }
    }

    @Test func `each wait is longer than the one before, up to the longest`() {
        let delays = RetryDelays(first: .seconds(5), times: 2, most: .seconds(60))
        #expect((1...6).map { delays.wait(after: $0) } == [5, 10, 20, 40, 60, 60].map { .seconds($0) })
    }
}
