import Bytes
package import Domain
package import FoundationEssentials
import JWTKit
import NIOConcurrencyHelpers
import Vault

/// Issues and checks access tokens: JWTs signed with HMAC-SHA-256, valid for 15 minutes.
///
/// Verifying a signature costs far more than everything else about a request, so a verified token is
/// cached until it expires or its session ends.
/// - Source: RFC 7519; RFC 8725 for what is rejected: any other algorithm, and keys that are not in the ring.
package final class AccessTokens: Sendable {
    /// A token that has just been issued.
    package struct Issued: Sendable {
        package let text: String
        /// Seconds until it expires.
        package let expiresIn: Int
    }

    private struct State {
        var verified: VerifiedTokens
        var revoked = RevokedSessions()
    }

    /// Our tokens are about 400 bytes; a longer text than this is not read.
    private static let longest = 4096
    /// Seconds added to a token's lifetime, for a token that is issued while its session ends.
    private static let slack = 60.0

    private let keyring: SigningKeyring
    private let lifetime: Int
    private let now: @Sendable () -> Date
    private let state: NIOLockedValueBox<State>

    /// - Parameters:
    ///   - lifetime: how long a token is valid, in whole seconds.
    ///   - remembered: most verified tokens cached.
    ///   - now: the clock by which tokens are issued and expire.
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
    /// - Throws: ``NoSigningKey``, or what the source of the keys throws.
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
    /// - Throws: ``AccessTokenRejection``; what the source of the keys throws, when a token names a key not seen
    ///   before.
    package func principal(of token: String) async throws -> Principal {
        let now = now()
        if let known = state.withLockedValue({ $0.verified.principal(of: token, at: now) }) {
            return try unrevoked(known)
        }
        let claims = try await checkedClaims(of: token, at: now)
        let expiry = Date(timeIntervalSince1970: Double(claims.exp))
        guard expiry > now else { throw AccessTokenRejection.expired }
        guard let principal = claims.principal else { throw AccessTokenRejection.invalid }
        state.withLockedValue { $0.verified.remember(token, of: principal, until: expiry) }
        return try unrevoked(principal)
    }

    /// Rejects the tokens of ended sessions from now on, in this process.
    package func revoke(_ sessions: some Sequence<UUID>) {
        let now = now()
        let until = now.addingTimeInterval(Double(lifetime) + Self.slack)
        state.withLockedValue { state in
            for session in sessions { state.revoked.insert(session, until: until, now: now) }
        }
    }

    /// Loads the signing keys again: some may have been created or deleted.
    ///
    /// - Throws: what the source of the keys throws.
    package func refreshKeys() async throws {
        // A token that was verified with a deleted key must be rejected from now on.
        if try await keyring.refresh(at: now()) { state.withLockedValue { $0.verified.forgetAll() } }
    }

    /// The number of sessions and tokens cached.
    package var remembered: (tokens: Int, revokedSessions: Int) {
        state.withLockedValue { ($0.verified.count, $0.revoked.count) }
    }

    /// How long an ended session must be kept as revoked.
    package var revocationSpan: Duration { .seconds(lifetime) + .seconds(Int(Self.slack)) }

    private func unrevoked(_ principal: Principal) throws -> Principal {
        guard !state.withLockedValue({ $0.revoked.contains(principal.sessionID) }) else {
            throw AccessTokenRejection.revoked
        }
        return principal
    }

    private func checkedClaims(of token: String, at now: Date) async throws -> AccessClaims {
        // The parser also takes other spellings of the same bytes.
        guard token.utf8.count <= Self.longest, token.split(separator: ".").allSatisfy({ Base64.url.decode($0) != nil })
        else { throw AccessTokenRejection.invalid }
        let bytes = Array(token.utf8)
        guard let header = try? DefaultJWTParser().parse(bytes, as: AccessClaims.self).header,
            header.alg == DigestAlgorithm.sha256Name, let kid = header.kid,
            let key = try await keyring.verifier(named: JWKIdentifier(string: kid), at: now)
        else { throw AccessTokenRejection.invalid }
        do {
            return try await key.collection.verify(bytes, as: AccessClaims.self)
        } catch {
            throw AccessTokenRejection.invalid
        }
    }
}

extension DigestAlgorithm {
    /// HMAC-SHA-256, as named in a token's header.
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
    /// The time at which the token expires.
    let exp: Int
    /// When the account was registered.
    let reg: Int?
    /// Distinguishes tokens that were issued in the same second.
    let jti: String

    init(_ principal: Principal, issuedAt: Int, expiresAt: Int) {
        sub = principal.accountID
        sid = principal.sessionID.uuidString.lowercased()
        roles = principal.roles.map(\.rawValue).sorted()
        iat = issuedAt
        exp = expiresAt
        reg = principal.registeredAt.map { Int($0.timeIntervalSince1970) }
        jti = UUID().uuidString.lowercased()
    }

    /// Nil when the session is not a UUID. A role that this version of the service does not know is left out.
    var principal: Principal? {
        UUID(uuidString: sid).map {
            Principal(
                accountID: sub, sessionID: $0, roles: Set(roles.compactMap(Role.init(rawValue:))),
                registeredAt: reg.map { Date(timeIntervalSince1970: Double($0)) })
        }
    }

    func verify(using algorithm: some JWTAlgorithm) async throws {}
}

/// Why an access token was not accepted.
package enum AccessTokenRejection: Error, Hashable, Sendable {
    /// Not a token of this service: its form, key or signature is wrong.
    case invalid
    /// The token has expired.
    case expired
    /// Its session has ended.
    case revoked
}

/// No signing key stays in force for the lifetime of a token that is to be issued.
package struct NoSigningKey: Error, Hashable {}

/// The caller, from a valid access token.
package struct Principal: Hashable, Sendable {
    package let accountID: AccountID
    /// The session; each sign-in starts one.
    package let sessionID: UUID
    /// The account's roles: when the token was issued, or as ``Callers`` knows them since.
    package var roles: Set<Role>
    /// Whether the account is suspended now; a token does not say so.
    package var isSuspended = false
    /// When the account was registered, in whole seconds; nil in a token of an earlier version.
    package var registeredAt: Date?
    /// The API key with which it calls, whose id is then that of the session; nil in a session.
    package var key: KeyGrant?
}
