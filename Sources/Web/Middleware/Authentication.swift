package import Domain
import HTTPTypes
package import Hummingbird
package import Service

/// Verifies access tokens.
package protocol AccessTokenVerifying: Sendable {
    /// The principal of a token.
    /// - Throws: `AccessTokenRejection` for a token that is not valid; anything else is a failure of the service.
    func verify(_ token: String) async throws -> Principal
}

extension AccessTokenRejection: ProblemConvertible {
    /// 401 with a challenge. The reason is not disclosed.
    package var problem: ProblemDetails {
        ProblemDetails(
            .unauthenticated,
            headers: [.wwwAuthenticate: ProblemDetails.bearerChallenge + ", error=\"invalid_token\""])
    }
}

extension ProblemDetails {
    /// The challenge of `WWW-Authenticate`.
    /// - Source: RFC 6750 section 3.
    static let bearerChallenge = "Bearer realm=\"skein\""
}

/// Lets requests with a valid access token through, and passes the principal to the route.
package struct Authentication: RouterMiddleware {
    private let verifier: any AccessTokenVerifying

    /// Begins to ask for tokens.
    package init(_ verifier: any AccessTokenVerifying) {
        self.verifier = verifier
    }

    /// Verifies the token of the `Authorization` header, then lets the request on.
    /// - Throws: `ProblemDetails` without a token; `AccessTokenRejection` or what the verifier throws for a bad one;
    ///   what the route throws.
    package func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        guard let header = request.headers[.authorization] else { throw ProblemDetails(.unauthenticated) }
        guard let token = Self.bearerToken(header) else { throw AccessTokenRejection.invalid }
        var context = context
        context.principal = try await verifier.verify(token)
        return try await next(request, context)
    }

    /// The token of `Bearer <token>`, whose scheme is written in any case.
    /// - Source: RFC 6750 section 2.1; RFC 9110 section 11.1.
    static func bearerToken(_ header: String) -> String? {
        let bytes = header.utf8
        guard let space = bytes.firstIndex(of: UInt8(ascii: " ")), header[..<space].lowercased() == "bearer" else {
            return nil
        }
        var token = header[space...].utf8.drop { $0 == UInt8(ascii: " ") }
        while token.last == UInt8(ascii: " ") { token.removeLast() }
        guard (1...4096).contains(token.count), token.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        return String(Substring(token))
    }
}

extension Callers: AccessTokenVerifying {
    /// The principal of a token, with the present roles of its account.
    /// - Throws: `AccessTokenRejection`; what the source of the keys, or the look-up of the account, throws.
    package func verify(_ token: String) async throws -> Principal {
        try await principal(of: token)
    }
}

/// Lets an account through that has one of the roles that a route needs.
package struct RoleRequirement: RouterMiddleware {
    private let roles: Set<Role>

    /// Begins to ask for a role; any of several is enough.
    package init(_ roles: Role...) {
        self.roles = Set(roles)
    }

    /// Lets the request on when the signed-in account has one of the roles.
    /// - Throws: `ProblemDetails` if no account is signed in or it has none of the roles; what the route throws.
    package func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        guard try !context.signedIn().roles.isDisjoint(with: roles) else {
            let names = roles.map(\.rawValue).sorted().joined(separator: " or ")
            throw ProblemDetails(.forbidden, detail: "This needs the role \(names).")
        }
        return try await next(request, context)
    }
}
