package import FoundationEssentials
package import Postgres

/// The keys access tokens are signed with, shared by all processes of the service.
package struct SigningKeys: Sendable {
    /// How long keys serve.
    package struct Lifetimes: Hashable, Sendable {
        /// How long a key is the newest before another one is made.
        package var period: Duration
        /// How long after its making a key is kept. It must be longer than period and an access token's life together;
        /// the rest is for processes that learn late of a newer key.
        package var kept: Duration

        /// A day, and two days.
        package init(period: Duration = .seconds(86_400), kept: Duration = .seconds(2 * 86_400)) {
            self.period = period
            self.kept = kept
        }
    }

    private let database: any PostgresQuerying
    private let lifetimes: Lifetimes

    /// Keeps keys through a connection or a pool.
    package init(database: any PostgresQuerying, lifetimes: Lifetimes = Lifetimes()) {
        self.database = database
        self.lifetimes = lifetimes
    }

    /// The keys in force, newest first. Makes a new one when the newest has served its period, and forgets those
    /// retired.
    ///
    /// Any number of processes may call it at once: one makes the key and all get it.
    package func current(at now: Date) async throws(PostgresError) -> [SigningKey] {
        let known = try await load(at: now)
        if let newest = known.first, newest.createdAt > now.adding(.zero - lifetimes.period) { return known }
        let key = SigningKey.random(createdAt: now, retiresAt: now.adding(lifetimes.kept))
        let result = try await database.query(
            """
            SELECT kid, secret, created_at, retires_at
              FROM vault.rotate_signing_key(
                   \(key.kid), \(key.secret), \(key.createdAt), \(key.retiresAt),
                   make_interval(secs => \(lifetimes.period / .seconds(1))))
            """)
        return try Self.keys(result)
    }

    /// The keys in force, newest first, as they are.
    package func load(at now: Date) async throws(PostgresError) -> [SigningKey] {
        let result = try await database.query(
            """
            SELECT kid, secret, created_at, retires_at
              FROM vault.signing_keys WHERE retires_at > \(now) ORDER BY created_at DESC, kid
            """)
        return try Self.keys(result)
    }

    private static func keys(_ result: PostgresResult) throws(PostgresError) -> [SigningKey] {
        var keys: [SigningKey] = []
        for row in result.rows {
            keys.append(
                SigningKey(
                    kid: try row.decode("kid"), secret: try row.decode("secret"),
                    createdAt: try row.decode("created_at"), retiresAt: try row.decode("retires_at")))
        }
        return keys
    }
}

/// A secret that access tokens are signed and checked with (HMAC-SHA-256).
package struct SigningKey: Sendable {
    /// What tokens name it by.
    package let kid: UUID
    /// 32 random bytes.
    package let secret: [UInt8]
    /// Since when it signs.
    package let createdAt: Date
    /// From then on it signs and checks nothing.
    package let retiresAt: Date

    /// Makes a new key from the system's secure generator.
    static func random(createdAt: Date, retiresAt: Date) -> SigningKey {
        let secret = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
        return SigningKey(kid: UUID(), secret: secret, createdAt: createdAt, retiresAt: retiresAt)
    }
}

extension SigningKey: CustomStringConvertible, CustomReflectable {
    /// Names the key; never the secret.
    package var description: String { "SigningKey(\(kid), redacted)" }
    /// Shows nothing.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
