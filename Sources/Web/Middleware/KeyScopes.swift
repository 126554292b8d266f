import Domain
import HTTPTypes
package import Hummingbird
import Service

extension Audience {
    /// The scope with which an API key may send requests to routes of this audience; nil: no key may.
    ///
    /// The account itself (its password, its sessions, its keys) is not changed by a script, and moderators decide in
    /// person.
    func scope(for method: HTTPRequest.Method) -> KeyScope? {
        switch self {
        case .signedIn: method == .get || method == .head ? .read : .submit
        case .researchers: .research
        case .personal, .moderators, .admins, .anyone, .credentials, .recovery, .operators: nil
        }
    }
}

/// Lets callers with an API key through where its scopes allow it; other callers always.
package struct KeyScopes: RouterMiddleware {
    let audience: Audience
    /// The scope that a key needs on these routes; nil for the one that audience and method entail.
    var scope: KeyScope?

    /// - Throws: `ProblemDetails` if the key lacks the scope, or no key may call the route; what the route throws.
    package func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        guard let key = context.principal?.key else { return try await next(request, context) }
        guard let scope = scope ?? audience.scope(for: request.method) else {
            throw ProblemDetails(.insufficientScope, detail: "API keys may not do this; log in instead.")
        }
        guard key.scopes.contains(scope) else {
            throw ProblemDetails(.insufficientScope, detail: "This needs a key with the scope \(scope.rawValue).")
        }
        return try await next(request, context)
    }
}
