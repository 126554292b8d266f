import Domain
import Foundation
import Postgres
import Testing

@testable import Vault

struct ApiKeysTests {
    private let now = Instant(Date())

    private func key(of account: AccountID, expiresAt: Instant? = nil) -> ApiKey {
        ApiKey(
            id: UUID(), account: account, name: "camera", scopes: [.read, .submit], createdAt: now,
            expiresAt: expiresAt)
    }

    @Test func `of keys that are added at once, an account gets twenty, and only digests are stored`() async throws {
        try await withVault { vault in
            let account = AccountID(UUID())
            var connections: [PostgresConnection] = []
            for _ in 0..<4 { connections.append(try await vault.anotherConnection()) }
            let secrets = (0..<24).map { _ in ApiKeySecret() }
            let results = try await withThrowingTaskGroup(of: Bool.self) { group in
                for (index, secret) in secrets.enumerated() {
                    let keys = ApiKeys(database: connections[index % 4])
                    group.addTask { try await keys.add(key(of: account), secret) }
                }
                return try await group.reduce(into: [Bool]()) { $0.append($1) }
            }
            #expect(results.count { $0 } == 20)
            let rows = try await vault.owner.query("SELECT k::text AS text FROM vault.api_keys k").rows
            let texts = try rows.map { try $0.decode("text", as: String.self) }
            #expect(!texts.contains { text in secrets.contains { text.contains($0.text.dropFirst(6)) } })
        }
    }

    @Test func `the last use is noted to the minute, and not of an expired key`() async throws {
        try await withVault { vault in
            let keys = ApiKeys(database: vault.service)
            let account = AccountID(UUID())
            let (secret, old) = (ApiKeySecret(), ApiKeySecret())
            #expect(try await keys.add(key(of: account), secret))
            #expect(try await keys.add(key(of: account, expiresAt: now.adding(seconds: 10)), old))
            func use(_ secret: ApiKeySecret, after seconds: Int) async throws -> ApiKey? {
                try await keys.use(secret, at: now.adding(seconds: seconds).date)
            }
            #expect(try await use(secret, after: 0)?.usedAt == nil)
            for (seconds, seen) in [(30, 0), (61, 0), (62, 61), (200, 61)] {
                let used = try await use(secret, after: seconds)
                #expect(used?.usedAt == now.adding(seconds: seen), "\(seconds)")
            }
            _ = try await use(old, after: 20)
            #expect(try await use(old, after: 30)?.usedAt == nil)
            #expect(try await use(ApiKeySecret(), after: 0) == nil)
        }
    }

    @Test func `keys are deleted by their owner only, and forgotten with the account`() async throws {
        try await withVault { vault in
            let keys = ApiKeys(database: vault.service)
            let (account, other) = (AccountID(UUID()), AccountID(UUID()))
            let (one, two) = (key(of: account), key(of: account))
            for added in [one, two, key(of: other)] { #expect(try await keys.add(added, ApiKeySecret())) }
            #expect(try await !keys.delete(one.id, of: other))
            #expect(try await keys.delete(one.id, of: account))
            #expect(try await keys.keys(of: account) == [two])
            try await keys.forget(account)
            #expect(try await keys.keys(of: account).isEmpty)
            #expect(try await keys.keys(of: other).count == 1)
        }
    }

    @Test func `a secret is not printed, and only its own form is read`() {
        let secret = ApiKeySecret()
        #expect(ApiKeySecret(presented: secret.text)?.digest == secret.digest && secret.text.count == 49)
        for wrong in ["", "skein_", secret.text + "A", String(secret.text.dropFirst(6)), secret.text.uppercased()] {
            #expect(ApiKeySecret(presented: wrong) == nil, "\(wrong)")
        }
        #expect(String(describing: secret) == "redacted" && String(reflecting: secret) == "redacted")
    }
}
