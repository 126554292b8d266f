import Domain
import HTTPTypes
import Hummingbird
import JSON
import Service
package import Web

/// Proving by mail that an account's address is its owner's.
package struct VerificationRoutes: RouteGroup {
    let verifications: EmailVerifications

    package var routes: [Route] {
        [
            Route(.post, "/v1/me/email-verifications", .personal, problems: [.emailVerified, .gone]) { _, context in
                try await resend(context)
            },
            Route(
                .put, "/v1/email-verifications", .recovery, reads: [.body, .key],
                problems: [.invalidCode, .emailTaken, .gone, .unavailable]
            ) { request, _ in try await verify(request) },
            Route(
                .put, "/v1/me/email", .personal, reads: [.body], problems: [.wrongPassword, .emailTaken, .gone],
                requestChange),
        ]
    }

    private func resend(_ context: APIContext) async throws -> Response {
        try await verifications.resend(to: try context.signedIn().accountID)
        return Response(status: .accepted)
    }

    private func requestChange(_ request: Request, _ context: APIContext) async throws -> Response {
        let account = try context.signedIn().accountID
        var body = JSONObjectReader(try await request.json())
        let email = body.required("email", String.self, EmailAddress.init(_:))
        let password = body.required("password", String.self)
        try body.finish()
        guard let email, let password else { throw body.faults }
        try await verifications.requestChange(to: email, password: password, of: account)
        return Response(status: .accepted)
    }

    private func verify(_ request: Request) async throws -> Response {
        let key = try IdempotencyKey(request.headers)
        var body = JSONObjectReader(try await request.json())
        let token = body.required("token", String.self)
        try body.finish()
        guard let token else { throw body.faults }
        try await verifications.verify(token, key: key.uuid)
        return Response(status: .noContent)
    }
}
