import Bytes
import Crypto
package import Domain
package import FoundationEssentials
package import Postgres

/// The text of an API key: 256 random bits, shown once and kept as a digest only.
package struct ApiKeySecret: Sendable {
    /// `skein_` and 43 characters of base64url. The prefix distinguishes it from access tokens, and lets scanners find
    /// keys that were published by mistake.
    package let text: String

    package static let prefix = "skein_"

    /// Makes a new secret from the system's secure generator.
    package init() {
        text = Self.prefix + Base64.url.encode((0..<32).map { _ in UInt8.random(in: .min ... .max) })
    }

    /// Reads a secret that a client presents; nil: it cannot be one of ours.
    package init?(presented text: String) {
        guard text.hasPrefix(Self.prefix), Base64.url.decode(text.dropFirst(Self.prefix.count))?.count == 32 else {
            return nil
        }
        self.text = text
    }

    /// SHA-256 of the text: what is stored.
    package var digest: [UInt8] {
        Array(SHA256.hash(data: Array(text.utf8)))
    }
}

extension ApiKeySecret: CustomStringConvertible, CustomReflectable {
    /// Never the secret.
    package var description: String { "redacted" }
    /// Shows nothing.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The API keys of accounts.
package struct ApiKeys: Sendable {
    /// The most keys that an account may have.
    package static let most = 20

    private let database: any PostgresQuerying

    /// Reads and writes through a connection or a pool; each statement is a transaction of its own.
    package init(database: any PostgresQuerying) {
        self.database = database
    }

    /// Adds a key.
    /// - Returns: false if the account has too many.
    package func add(_ key: ApiKey, _ secret: ApiKeySecret) async throws(PostgresError) -> Bool {
        let scopes = key.scopes.map(\.rawValue).sorted()
        return try await database.query(
            """
            SELECT vault.add_api_key(\(key.id), \(key.account.uuid), \(key.name), \(scopes), \(secret.digest),
                                     \(key.createdAt.date), \(key.expiresAt?.date), \(Int64(Self.most))) AS added
            """
        ).onlyRow().decode("added")
    }

    /// The key of a secret, even if it has expired; notes that it is used.
    package func use(_ secret: ApiKeySecret, at now: Date) async throws(PostgresError) -> ApiKey? {
        let result = try await database.query(
            """
            WITH found AS (
                SELECT k.* FROM vault.api_keys k WHERE k.digest = \(secret.digest)),
            used AS (
                UPDATE vault.api_keys k SET used_at = \(now) FROM found f
                 WHERE k.id = f.id AND (f.expires_at IS NULL OR f.expires_at > \(now))
                   AND (f.used_at IS NULL OR f.used_at < \(now.adding(.seconds(-60)))))
            SELECT f.id, f.account, f.name, f.scopes, f.created_at, f.expires_at, f.used_at FROM found f
            """)
        return try result.first.map { (row) throws(PostgresError) in try Self.key(row) }
    }

    /// The keys of an account, the newest first.
    package func keys(of account: AccountID) async throws(PostgresError) -> [ApiKey] {
        let result = try await database.query(
            """
            SELECT k.id, k.account, k.name, k.scopes, k.created_at, k.expires_at, k.used_at
              FROM vault.api_keys k WHERE k.account = \(account.uuid) ORDER BY k.created_at DESC, k.id
            """)
        var keys: [ApiKey] = []
        for row in result.rows { keys.append(try Self.key(row)) }
        return keys
    }

    /// Deletes a key of an account.
    /// - Returns: false if the account has no such key.
    package func delete(_ id: UUID, of account: AccountID) async throws(PostgresError) -> Bool {
        try await database.query("DELETE FROM vault.api_keys WHERE id = \(id) AND account = \(account.uuid)")
            .affectedCount > 0
    }

    /// Deletes all keys of an account.
    package func forget(_ account: AccountID) async throws(PostgresError) {
        try await database.query("DELETE FROM vault.api_keys WHERE account = \(account.uuid)")
    }

    private static func key(_ row: PostgresRow) throws(PostgresError) -> ApiKey {
        // A scope of a newer version opens nothing here.
        let scopes = try row.decode("scopes", as: [String].self).compactMap(KeyScope.init(rawValue:))
        let (expiresAt, usedAt): (Date?, Date?) = (try row.decode("expires_at"), try row.decode("used_at"))
        return ApiKey(
            id: try row.decode("id"), account: AccountID(try row.decode("account")), name: try row.decode("name"),
            scopes: Set(scopes), createdAt: Instant(try row.decode("created_at", as: Date.self)),
            expiresAt: expiresAt.map { Instant($0) }, usedAt: usedAt.map { Instant($0) })
    }
}
