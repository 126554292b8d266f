import Domain
import HTTPTypes
import Hummingbird
import JSON
import Service

/// Proving by mail that an account's address is its owner's.
package struct VerificationRoutes: RouteGroup {
    let verifications: EmailVerifications
    let mails: MailLimit

    package var routes: [Route] {
        [
            Route(.post, "/v1/me/email-verifications", .signedIn, problems: [.emailVerified, .gone]) { _, context in
                try await resend(context)
            },
            Route(
                .put, "/v1/email-verifications", .recovery, reads: [.body, .key],
                problems: [.invalidCode, .notFound, .gone, .unavailable]
            ) { request, _ in try await verify(request) },
        ]
    }

    private func resend(_ context: APIContext) async throws -> Response {
        let account = try context.signedIn().accountID
        try await mails.counting(.account(account)) { try await verifications.resend(to: account) }
        return Response(status: .accepted, headers: [.cacheControl: CachePolicy.privateNoStore.rawValue])
    }

    private func verify(_ request: Request) async throws -> Response {
        let key = try IdempotencyKey(request.headers)
        var body = JSONObjectReader(try await request.json())
        let token = body.required("token", String.self)
        try body.finish()
        guard let token else { throw body.faults }
        try await verifications.verify(token, key: key.uuid)
        return Response(status: .noContent, headers: [.cacheControl: CachePolicy.privateNoStore.rawValue])
    }
}
