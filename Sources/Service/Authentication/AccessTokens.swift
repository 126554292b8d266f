package import Domain
package import FoundationEssentials
internal import JWTKit
internal import NIOConcurrencyHelpers
internal import Vault

/// Issues and checks access tokens: JWTs signed with HMAC-SHA-256, good for a quarter of an hour.
///
/// Checking a signature costs far more than everything else about a request, so a token that has been checked is
/// remembered until it runs out or its session ends.
/// - Source: RFC 7519; RFC 8725 for what is rejected: any other algorithm, and keys that are not in the ring.
package final class AccessTokens: Sendable {
    /// A token that has just been issued.
    package struct Issued: Sendable {
        /// The token as it goes to the client.
        package let text: String
        /// Seconds until it runs out.
        package let expiresIn: Int
    }

    private struct State {
        var verified: VerifiedTokens
        var revoked = RevokedSessions()
    }

    /// Ours are about 400 bytes; whatever is longer than this is not read.
    private static let longest = 4096
    /// A session ended while a token of it was being issued: so much later the token ran out for certain.
    private static let slack = 60.0

    private let keyring: SigningKeyring
    private let lifetime: Int
    private let now: @Sendable () -> Date
    private let state: NIOLockedValueBox<State>

    /// - Parameters:
    ///   - lifetime: how long a token is good, to the second.
    ///   - remembered: how many tokens that have been checked are remembered at most.
    ///   - now: the time, by which tokens are issued and run out.
    package init(
        keys: any SigningKeySource, lifetime: Duration = .seconds(15 * 60), remembered: Int = 10_000,
        now: @escaping @Sendable () -> Date
    ) {
        keyring = SigningKeyring(source: keys)
        self.lifetime = Int(lifetime.components.seconds)
        self.now = now
        state = NIOLockedValueBox(State(verified: VerifiedTokens(capacity: remembered)))
    }

    /// Issues a token.
    ///
    /// - Throws: ``AccessTokenFailure/noSigningKey``, or what the source of the keys throws.
    package func issue(for principal: Principal) async throws -> Issued {
        let now = now()
        let issuedAt = Int(now.timeIntervalSince1970)
        let claims = AccessClaims(principal, issuedAt: issuedAt, expiresAt: issuedAt + lifetime)
        let key = try await keyring.signer(
            at: now, forTokenUntil: Date(timeIntervalSince1970: Double(claims.exp)))
        return Issued(text: try await key.collection.sign(claims, kid: key.kid), expiresIn: lifetime)
    }

    /// The principal of a token.
    ///
    /// - Throws: ``AccessTokenFailure``; what the source of the keys throws, when a token names a key not seen before.
    package func principal(of token: String) async throws -> Principal {
        let now = now()
        if let known = state.withLockedValue({ $0.verified.principal(of: token, at: now) }) {
            return try unrevoked(known)
        }
        let claims = try await checkedClaims(of: token, at: now)
        let expiry = Date(timeIntervalSince1970: Double(claims.exp))
        guard expiry > now else { throw AccessTokenFailure.expired }
        guard let principal = claims.principal else { throw AccessTokenFailure.invalid }
        state.withLockedValue { $0.verified.remember(token, of: principal, until: expiry) }
        return try unrevoked(principal)
    }

    /// Accepts no more tokens of sessions that have ended, in this process.
    package func revoke(_ sessions: some Sequence<UUID>) {
        let now = now()
        let until = now.addingTimeInterval(Double(lifetime) + Self.slack)
        state.withLockedValue { state in
            for session in sessions { state.revoked.insert(session, until: until, now: now) }
        }
    }

    /// Learns of signing keys made or deleted meanwhile.
    ///
    /// - Throws: what the source of the keys throws.
    package func refreshKeys() async throws {
        // A token that was checked with a key that is gone must be rejected from now on.
        if try await keyring.refresh(at: now()) { state.withLockedValue { $0.verified.forgetAll() } }
    }

    /// How many sessions and tokens are remembered.
    package var remembered: (tokens: Int, revokedSessions: Int) {
        state.withLockedValue { ($0.verified.count, $0.revoked.count) }
    }

    /// How long after its end a session must be known as revoked, in seconds.
    package var revocationSpan: Duration { .seconds(lifetime) + .seconds(Int(Self.slack)) }

    private func unrevoked(_ principal: Principal) throws -> Principal {
        guard !state.withLockedValue({ $0.revoked.contains(principal.sessionID) }) else {
            throw AccessTokenFailure.revoked
        }
        return principal
    }

    private func checkedClaims(of token: String, at now: Date) async throws -> AccessClaims {
        guard token.utf8.count <= Self.longest else { throw AccessTokenFailure.invalid }
        let bytes = Array(token.utf8)
        guard let header = try? DefaultJWTParser().parse(bytes, as: AccessClaims.self).header,
            header.alg == DigestAlgorithm.sha256Name, let kid = header.kid,
            let key = try await keyring.verifier(named: JWKIdentifier(string: kid), at: now)
        else { throw AccessTokenFailure.invalid }
        do {
            return try await key.collection.verify(bytes, as: AccessClaims.self)
        } catch {
            throw AccessTokenFailure.invalid
        }
    }
}

extension DigestAlgorithm {
    /// HMAC-SHA-256 as a token's header names it.
    fileprivate static let sha256Name = "HS256"
}

/// The claims of an access token.
///
/// Times are whole seconds since 1970. Only our own tokens get this far, and their times are checked against the
/// service's clock, so nothing is checked here.
struct AccessClaims: JWTPayload {
    let sub: AccountID
    /// The session, in lower case.
    let sid: String
    let roles: [String]
    let iat: Int
    /// From then on the token is worth nothing.
    let exp: Int
    /// Makes two tokens differ that were issued in the same second.
    let jti: String

    init(_ principal: Principal, issuedAt: Int, expiresAt: Int) {
        sub = principal.accountID
        sid = principal.sessionID.uuidString.lowercased()
        roles = principal.roles.map(\.rawValue).sorted()
        iat = issuedAt
        exp = expiresAt
        jti = UUID().uuidString.lowercased()
    }

    /// Nil when the session is not a UUID. A role that this version of the service does not know is left out.
    var principal: Principal? {
        UUID(uuidString: sid).map {
            Principal(accountID: sub, sessionID: $0, roles: Set(roles.compactMap(Role.init(rawValue:))))
        }
    }

    func verify(using algorithm: some JWTAlgorithm) async throws {}
}

/// Why an access token was not issued or not accepted.
package enum AccessTokenFailure: Error, Hashable, Sendable {
    /// It is no token of ours: its form, its key or its signature is wrong.
    case invalid
    /// It ran out.
    case expired
    /// Its session has ended.
    case revoked
    /// No key is in force long enough to sign with.
    case noSigningKey
}

/// The caller, from a valid access token.
package struct Principal: Hashable, Sendable {
    package let accountID: AccountID
    /// The session: one a sign-in.
    package let sessionID: UUID
    /// What the account might do when the token was issued, at most a token's life ago.
    package let roles: Set<Role>

    /// Names who is asking.
    package init(accountID: AccountID, sessionID: UUID, roles: Set<Role>) {
        self.accountID = accountID
        self.sessionID = sessionID
        self.roles = roles
    }
}
