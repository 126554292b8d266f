import Bytes
import HTTPTypes
package import Hummingbird

/// Makes browsers that came by TLS, as a trusted proxy reports, use nothing else from then on.
/// - Source: RFC 6797.
package struct TransportSecurity: RouterMiddleware {
    /// The number of the operator's own proxies; without any, the header is ignored.
    let trustedProxies: Int

    /// - Throws: what the route throws.
    package func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        // A year, as browsers' preload lists require.
        if isSecure(request.headers) { response.headers[.strictTransportSecurity] = "max-age=31536000" }
        return response
    }

    /// Some proxies add to the header and others set it: the outermost trusted one is counted from the end.
    private func isSecure(_ headers: HTTPFields) -> Bool {
        guard trustedProxies > 0 else { return false }
        let hops = headers[values: .forwardedProto].flatMap { $0.split(separator: ",") }.map { $0.trimmingSpaces() }
        let outermost = hops.suffix(trustedProxies).first
        return outermost?.lowercased() == "https"
    }
}
