package import Domain
package import Hummingbird
internal import Service

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
