import Foundation
import Postgres
import TestRandom
import TestSupport
import Testing
import Vault

/// Several holders of a session's tokens at the same instant, each on a connection of its own.
struct RefreshTokenRivalsTests {
    private let start = Date(timeIntervalSince1970: 1_777_636_800)

    private func outcomes(
        _ rivals: [RefreshTokens], _ ask: @escaping @Sendable (RefreshTokens, Int) async throws -> RefreshRotation
    ) async throws -> [RefreshRotation] {
        try await withThrowingTaskGroup(of: RefreshRotation.self) { group in
            for (number, rival) in rivals.enumerated() { group.addTask { try await ask(rival, number) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    private func withRivals(
        _ count: Int, grace: Duration = .seconds(60), _ body: (VaultFixture, [RefreshTokens]) async throws -> Void
    ) async throws {
        try await withVault { vault in
            var rivals: [RefreshTokens] = []
            for _ in 0..<count {
                rivals.append(
                    RefreshTokens(database: try await vault.anotherConnection(), lifetimes: .init(grace: grace)))
            }
            try await body(vault, rivals)
        }
    }

    @Test func `without grace exactly one of many exchanges a token, and the others end the session`() async throws {
        try await withRivals(8, grace: .zero) { vault, rivals in
            for _ in 0..<20 {
                let token = try await rivals[0].issue(for: .init(id: UUID(), account: UUID()), at: start)
                let names = try await outcomes(rivals) { rival, _ in try await rival.rotate(token, at: start) }
                    .map(\.name)
                #expect(names.filter { $0 == "rotated" }.count == 1)
                #expect(names.filter { $0 == "reused" }.count == 1)
                #expect(names.filter { $0 == "ended" }.count == 6)
            }
        }
    }

    @Test func `within grace all are answered, and of their successors exactly one goes on`() async throws {
        try await withRivals(6) { vault, rivals in
            for _ in 0..<20 {
                let token = try await rivals[0].issue(for: .init(id: UUID(), account: UUID()), at: start)
                let successors = try await outcomes(rivals) { rival, _ in try await rival.rotate(token, at: start) }
                    .compactMap { $0.success?.token }
                #expect(successors.count == 6)
                let names = try await outcomes(rivals) { rival, number in
                    try await rival.rotate(successors[number], at: start)
                }.map(\.name)
                #expect(names.filter { $0 == "rotated" }.count == 1)
                #expect(names.filter { $0 == "reused" }.count == 1)
                #expect(names.filter { $0 == "ended" }.count == 4)
            }
        }
    }

    @Test func `once a session's end is answered, no exchange succeeds, however close the race`() async throws {
        try await withRivals(2) { vault, rivals in
            for _ in 0..<40 {
                let session = SignedInSession(id: UUID(), account: UUID())
                let token = try await rivals[0].issue(for: session, at: start)
                async let ended = rivals[1].end(session: session.id, reason: .signedOut, at: start)
                let first = try await rivals[0].rotate(token, at: start)
                #expect(try await ended)
                #expect(["rotated", "ended"].contains(first.name))
                let last = first.success?.token ?? token
                #expect(try await rivals[0].rotate(last, at: start).name == "ended")
            }
        }
    }

    @Test func `purging and exchanging at once never deadlock, and no live token is lost`() async throws {
        try await withRivals(3) { vault, rivals in
            let now = start.addingTimeInterval(86_400 * 31)
            for _ in 0..<30 {
                for _ in 0..<4 { _ = try await rivals[0].issue(for: .init(id: UUID(), account: UUID()), at: start) }
                let session = SignedInSession(id: UUID(), account: UUID())
                let first = try await rivals[0].issue(for: session, at: start)
                let live = try #require(
                    try await rivals[0].rotate(first, at: start.addingTimeInterval(86_400 * 29)).success?.token)
                async let purged = rivals[1].purge(at: now)
                async let alsoPurged = rivals[2].purge(at: now)
                #expect(try await rivals[0].rotate(live, at: now).name == "rotated")
                _ = try await (purged, alsoPurged)
            }
        }
    }

    /// A model of one session, against which the database is held.
    private struct Model {
        var used: [String: Date] = [:]
        var predecessor: [String: String] = [:]
        var hasEnded = false

        mutating func outcome(of secret: String, at now: Date) -> String {
            if hasEnded { return "ended" }
            func isUsed(besides secret: String, after predecessor: String) -> Bool {
                self.predecessor.contains { $0.value == predecessor && $0.key != secret && used[$0.key] != nil }
            }
            let siblingWon = predecessor[secret].map { isUsed(besides: secret, after: $0) } ?? false
            let isLate = used[secret].map { now.timeIntervalSince($0) >= 60 } ?? false
            if siblingWon || isLate || isUsed(besides: secret, after: secret) {
                hasEnded = true
                return "reused"
            }
            used[secret] = used[secret] ?? now
            return "rotated"
        }
    }

    @Test(arguments: RandomSource.seeds(25))
    func `whatever tokens of a session come in whatever order: as the rules say`(seed: UInt64) async throws {
        try await withVault { vault in
            var random = RandomSource(seed: seed)
            let tokens = RefreshTokens(database: vault.service)
            var now = start
            for _ in 0..<6 {
                var model = Model()
                var issued = [try await tokens.issue(for: .init(id: UUID(), account: UUID()), at: now)]
                for _ in 0..<12 {
                    now = now.addingTimeInterval(Double(random.int(in: 0...40)))
                    // Mostly one of the newest, or every session would end soon.
                    let token = issued[max(0, issued.count - random.int(in: 1...(random.isTrue(oneIn: 6) ? 6 : 2)))]
                    let expected = model.outcome(of: token.secret, at: now)
                    let outcome = try await tokens.rotate(token, at: now)
                    #expect(outcome.name == expected)
                    if let successor = outcome.success?.token {
                        model.predecessor[successor.secret] = token.secret
                        issued.append(successor)
                    }
                }
            }
        }
    }
}
