import HTTPTypes
package import Hummingbird

/// Gives every request an id, and every answer the headers that all answers have.
///
/// A well-formed `X-Request-Id` of the client or a proxy is kept, so that one id follows a request through all logs.
package struct RequestIdentification: RouterMiddleware {
    /// Sets the request's id before it is handled and the headers once it has been.
    /// - Throws: what the route throws.
    package func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        if let given = request.headers[.requestID], Self.isWellFormed(given) { context.requestID = given }
        var response = try await next(request, context)
        if request.method == .head { response = response.withoutBody }
        response.headers[.requestID] = context.requestID
        Self.secure(&response.headers)
        return response
    }

    /// Letters, digits, hyphens, dots and underscores, at most 64: nothing that could forge a line of a log.
    static func isWellFormed(_ id: String) -> Bool {
        (1...64).contains(id.utf8.count)
            && id.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    /// An answer without a policy of its own is not a page: nothing may guess a type, load anything or frame it.
    private static func secure(_ headers: inout HTTPFields) {
        headers[.xContentTypeOptions] = "nosniff"
        if !headers.contains(.framing) { headers[.framing] = "default-src 'none'; frame-ancestors 'none'" }
        headers[.referrerPolicy] = "no-referrer"
        if !headers.contains(.cacheControl) { headers[.cacheControl] = CachePolicy.privateNoStore.rawValue }
    }
}
