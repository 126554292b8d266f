internal import Domain
internal import FoundationEssentials
internal import JWTKit

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
