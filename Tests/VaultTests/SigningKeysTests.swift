import Foundation
import Postgres
import TestSupport
import Testing
import Vault

struct SigningKeysTests {
    private let start = Date(timeIntervalSince1970: 1_777_636_800)

    private func after(hours: Double) -> Date { start.addingTimeInterval(hours * 3600) }

    @Test func `a key is made at first use, another one each day, and each is kept for two days`() async throws {
        try await withVault { vault in
            let keys = SigningKeys(database: vault.service)
            #expect(try await keys.load(at: start).isEmpty)
            let first = try #require(try await keys.current(at: start).first)
            #expect(first.secret.count == 32)
            #expect(try await keys.current(at: after(hours: 23.9)).map(\.kid) == [first.kid])

            let second = try await keys.current(at: after(hours: 24))
            #expect(second.count == 2)
            #expect(second[1].kid == first.kid)
            #expect(second[0].secret != first.secret)
            #expect(second[0].createdAt == after(hours: 24))
            #expect(second[0].retiresAt == after(hours: 72))
            #expect(try await keys.load(at: after(hours: 47.9)).map(\.kid) == second.map(\.kid))

            #expect(try await keys.load(at: after(hours: 48)).map(\.kid) == [second[0].kid])
            let third = try await keys.current(at: after(hours: 48))
            #expect(third.count == 2)
            #expect(third[1].kid == second[0].kid)
            #expect(try await vault.count("SELECT count(*) FROM vault.signing_keys") == 2)
        }
    }

    @Test func `after a long pause only a new key is left`() async throws {
        try await withVault { vault in
            let keys = SigningKeys(database: vault.service)
            let old = try await keys.current(at: start)
            let new = try await keys.current(at: after(hours: 1000))
            #expect(new.count == 1)
            #expect(new[0].kid != old[0].kid)
        }
    }

    @Test func `processes that find it time at the same instant make one key, and all get it`() async throws {
        try await withVault { vault in
            var processes: [SigningKeys] = []
            for _ in 0..<8 { processes.append(SigningKeys(database: try await vault.anotherConnection())) }
            for day in 0..<10 {
                let now = after(hours: Double(day) * 24)
                let kids = try await withThrowingTaskGroup(of: [UUID].self) { group in
                    for process in processes { group.addTask { try await process.current(at: now).map(\.kid) } }
                    return try await group.reduce(into: Set<[UUID]>()) { $0.insert($1) }
                }
                #expect(kids.count == 1)
                #expect(kids.first?.count == min(day + 1, 2))
            }
        }
    }

    @Test func `a key does not show its secret`() async throws {
        try await withVault { vault in
            let key = try #require(try await SigningKeys(database: vault.service).current(at: start).first)
            var dumped = ""
            dump(key, to: &dumped)
            #expect(!"\(key) \(String(reflecting: key)) \(dumped)".contains("\(key.secret[0]), \(key.secret[1])"))
        }
    }
}
