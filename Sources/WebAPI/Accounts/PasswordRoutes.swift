import Domain
import HTTPTypes
import Hummingbird
import JSON
import Service
package import Web

/// Changing a password, and setting another one by mail.
package struct PasswordRoutes: RouteGroup {
    let passwords: Passwords

    package var routes: [Route] {
        [
            Route(
                .post, "/v1/password-resets", .recovery, reads: [.body], problems: [.unavailable]
            ) { request, _ in try await sendCode(request) },
            Route(
                .put, "/v1/password-resets", .recovery, reads: [.body, .key],
                problems: [.invalidCode, .gone, .unavailable]
            ) { request, _ in try await reset(request) },
            Route(
                .put, "/v1/me/password", .personal, reads: [.body, .key], problems: [.wrongPassword, .gone], change),
        ]
    }

    /// The response does not depend on whether an account has the address.
    private func sendCode(_ request: Request) async throws -> Response {
        var body = JSONObjectReader(try await request.json())
        let email = body.required("email", String.self, EmailAddress.init(_:))
        try body.finish()
        guard let email else { throw body.faults }
        try await passwords.sendCode(to: email)
        return Response(status: .accepted)
    }

    private func reset(_ request: Request) async throws -> Response {
        let key = try IdempotencyKey(request.headers)
        var body = JSONObjectReader(try await request.json())
        let token = body.required("token", String.self)
        let password = body.required("password", String.self)
        try body.finish()
        guard let token, let password else { throw body.faults }
        try await passwords.reset(token, to: password, key: key.uuid)
        return Response(status: .noContent)
    }

    private func change(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.signedIn()
        let key = try IdempotencyKey(request.headers)
        var body = JSONObjectReader(try await request.json())
        let old = body.required("oldPassword", String.self)
        let new = body.required("newPassword", String.self)
        try body.finish()
        guard let old, let new else { throw body.faults }
        try await passwords.change(from: old, to: new, by: caller, key: key.uuid)
        return Response(status: .noContent)
    }
}
