import Bytes
import HTTPTypes
package import Hummingbird

/// The origins whose pages may read the service's answers.
package enum AllowedOrigins: Hashable, Sendable {
    case any
    case only(Set<String>)

    /// Reads a comma-separated list of origins, or `*`.
    /// - Returns: nil for text that is neither, or an origin that no browser sends: it ends at the port, is in lower
    ///   case, and leaves out the default port.
    package init?(_ text: String) {
        if text == "*" {
            self = .any
            return
        }
        let origins = text.split(separator: ",", omittingEmptySubsequences: false).map { String($0.trimmingSpaces()) }
        guard origins.allSatisfy(Self.isOrigin) else { return nil }
        self = .only(Set(origins))
    }

    /// - Source: RFC 6454 section 6.2.
    private static func isOrigin(_ text: String) -> Bool {
        let origin = #/([a-z][a-z0-9+.\-]*)://(?:[a-z0-9._\-]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?/#
        guard let match = text.wholeMatch(of: origin) else { return false }
        return switch (match.1, match.2) {
        case ("http", ":80"), ("https", ":443"): false
        default: true
        }
    }
}

/// Lets pages of other origins use the service from a browser (CORS), without cookies or other ambient credentials.
///
/// It answers preflights itself, so that they take nothing from a quota, and adds its headers to every other answer,
/// problems included.
/// - Source: the Fetch standard, section 3.2.
package struct CrossOrigin: RouterMiddleware {
    private let origins: AllowedOrigins

    /// - Parameter origins: those whose pages may read the responses.
    package init(_ origins: AllowedOrigins) {
        self.origins = origins
    }

    /// - Throws: what the route throws.
    package func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        let allowed = allowed(request)
        if let allowed, request.method == .options, request.headers[.accessControlRequestMethod] != nil {
            return Response(status: .noContent, headers: Self.preflight(allowed))
        }
        var response = try await next(request, context)
        if let allowed {
            response.headers[.accessControlAllowOrigin] = allowed
            response.headers[.accessControlExposeHeaders] = Self.exposedHeaders
        }
        if origins != .any, Self.isCacheable(response) { response.headers.vary(by: .origin) }
        return response
    }

    /// The value of `Access-Control-Allow-Origin`; nil for a page that may not read the answer, or no page.
    ///
    /// `*` is said without being asked: a cache may give the answer to a page later.
    private func allowed(_ request: Request) -> String? {
        switch origins {
        case .any: "*"
        case .only(let origins): request.headers[.origin].flatMap { origins.contains($0) ? $0 : nil }
        }
    }

    private static func preflight(_ origin: String) -> HTTPFields {
        [
            .accessControlAllowOrigin: origin,
            .accessControlAllowMethods: "GET, HEAD, POST, PUT, PATCH, DELETE",
            .accessControlAllowHeaders: allowedHeaders,
            // Seconds. Chromium keeps no preflight for longer.
            .accessControlMaxAge: "7200",
        ]
    }

    /// An answer without the header becomes `private, no-store`.
    private static func isCacheable(_ response: Response) -> Bool {
        response.headers[.cacheControl].map { $0 != CachePolicy.privateNoStore.rawValue } ?? false
    }

    private static let allowedHeaders = [
        .authorization, .contentType, .idempotencyKey, .ifMatch, .ifNoneMatch, .ifRange, .lastEventID, .logPosition,
        .prefer, .range, .requestID, .uploadComplete, .uploadLength, .uploadOffset,
    ].map { (name: HTTPField.Name) in name.rawName }.joined(separator: ", ")

    private static let exposedHeaders = [
        .accept, .acceptPatch, .acceptRanges, .allow, .contentDisposition, .contentRange, .eTag, .link, .location,
        .logPosition, .preferenceApplied, .rateLimit, .rateLimitPolicy, .reprDigest, .requestID, .restrictionPosition,
        .retryAfter, .uploadComplete, .uploadLength, .uploadLimit, .uploadOffset, .wwwAuthenticate,
    ].map { (name: HTTPField.Name) in name.rawName }.joined(separator: ", ")
}
