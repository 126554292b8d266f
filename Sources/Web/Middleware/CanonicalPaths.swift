package import Hummingbird

/// Accepts one path for each resource. The router would also accept doubled and trailing slashes, which would bypass
/// rules that a proxy has for the path.
package struct CanonicalPaths: RouterMiddleware {
    /// - Throws: `ProblemDetails` (404) for another spelling; what the route throws.
    package func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        guard Self.isCanonical(request.uri.path) else { throw ProblemDetails(.notFound) }
        return try await next(request, context)
    }

    static func isCanonical(_ path: String) -> Bool {
        var last = UInt8(ascii: "x")
        for byte in path.utf8 {
            if byte == UInt8(ascii: "/"), byte == last { return false }
            last = byte
        }
        return last != UInt8(ascii: "/") || path.utf8.count == 1
    }
}
