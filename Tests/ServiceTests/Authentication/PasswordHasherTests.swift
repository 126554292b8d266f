import Foundation
import TestSupport
import Testing

@testable import Service

struct PasswordHasherTests {
    @Test func `a password fits the record made of it, and only that`() async throws {
        let hasher = PasswordHasher(cost: .least)
        let record = try await hasher.record(of: "correct horse")
        #expect(try await hasher.check("correct horse", against: record))
        #expect(try await !hasher.check("correct house", against: record))
        #expect(try await !hasher.check("", against: record))
        #expect(try await !hasher.check("correct horse", against: nil))
        #expect(try await !hasher.check("", against: nil))
    }

    @Test func `a record made at another cost still fits`() async throws {
        let record = try await PasswordHasher(cost: #require(ScryptCost(logRounds: 2, blockSize: 2, parallelism: 2)))
            .record(of: "correct horse")
        #expect(record.hasPrefix("scrypt$2$2$2$"))
        #expect(try await PasswordHasher(cost: .least).check("correct horse", against: record))
    }

    @Test func `a record that is none is an error, not a wrong password`() async {
        await #expect(throws: PasswordHasher.Failure.malformedRecord) {
            try await PasswordHasher(cost: .least).check("correct horse", against: "scrypt$15$8$3$?$?")
        }
    }

    @Test func `when too many wait, the next is told so`() async throws {
        let cost = try #require(ScryptCost(logRounds: 12, blockSize: 8, parallelism: 1))
        let hasher = PasswordHasher(cost: cost, atOnce: 1, waiting: 1)
        // On a busy machine they may come one after the other.
        try await until("one of eight at once is rejected") {
            let outcomes = try await served(8, by: hasher)
            #expect(outcomes.contains(true))
            return outcomes.contains(false)
        }
        #expect(try await !hasher.check("correct horse", against: nil), "the places are free again")
    }

    /// Checks so many passwords at once.
    /// - Returns: for each, whether it was not rejected.
    private func served(_ count: Int, by hasher: PasswordHasher) async throws -> [Bool] {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<count {
                group.addTask {
                    do {
                        _ = try await hasher.check("correct horse", against: nil)
                        return true
                    } catch is FairTurns.Rejection {
                        return false
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Six at once would take 192 MiB. Other tests share the process, so the least of five attempts counts.
    @Test func `however many sign in at once, two derivations hold memory: 32 MiB each`() async throws {
        let cost = try #require(ScryptCost(logRounds: 15, blockSize: 8, parallelism: 1))
        var least = Int.max
        for _ in 0..<5 where least >= 70 * 1024 { least = min(least, try await growth(atOnce: 6, cost: cost)) }
        #expect(least < 70 * 1024)
    }

    /// By how many KiB the process grows while so many are checked at once.
    private func growth(atOnce count: Int, cost: ScryptCost) async throws -> Int {
        let hasher = PasswordHasher(cost: cost)
        let before = try ResidentMemory.kibibytes()
        return try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<count { group.addTask { try await hasher.check("correct horse", against: nil) } }
            var highest = 0
            while try await group.next() != nil { highest = max(highest, try ResidentMemory.kibibytes() - before) }
            return highest
        }
    }
}
