internal import HTTPTypes
package import Hummingbird

/// Lets requests with a valid access token through, and passes the principal to the route.
package struct Authentication: RouterMiddleware {
    private let verifier: any AccessTokenVerifying

    /// Begins to ask for tokens.
    package init(_ verifier: any AccessTokenVerifying) {
        self.verifier = verifier
    }

    /// Verifies the token of the `Authorization` header, then lets the request on.
    /// - Throws: `ProblemDetails` without a token; ``AccessTokenRejected`` or what the verifier throws for a bad one;
    ///   what the route throws.
    package func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        guard let header = request.headers[.authorization] else { throw ProblemDetails(.unauthenticated) }
        guard let token = Self.bearerToken(header) else { throw AccessTokenRejected() }
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
