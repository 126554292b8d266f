import Domain
import Forms
import FoundationEssentials
import HTTPTypes
import Hummingbird
import JSON
import Service
package import Web

/// Logging in, staying logged in, logging out.
package struct SessionRoutes: RouteGroup {
    let sessions: Sessions
    let accounts: AccountService

    package var routes: [Route] {
        let problems: Set<ProblemType> = [.wrongCredentials, .unavailable]
        return [
            Route(.post, "/v1/sessions", .credentials, reads: [.body], problems: problems) { request, _ in
                try await signIn(request)
            },
            Route(.post, "/v1/sessions/refresh", .credentials, reads: [.body], problems: problems) { request, _ in
                try await refresh(request)
            },
            Route(.delete, "/v1/sessions/current", .personal, whileSuspended: true) { _, context in
                try await signOut(context)
            },
            Route(.get, "/v1/me/sessions", .personal, reads: [.query], list),
            Route(.delete, "/v1/me/sessions/{id}", .personal, problems: [.notFound], whileSuspended: true) {
                try await end($1)
            },
        ]
    }

    private func signIn(_ request: Request) async throws -> Response {
        var body = JSONObjectReader(try await request.json())
        let email = body.required("email", String.self)
        let password = body.required("password", String.self)
        try body.finish()
        guard let email, let password else { throw body.faults }
        let tokens = try await sessions.signIn(email: email, password: password, device: request.device)
        return try await answer(tokens, status: .created)
    }

    private func refresh(_ request: Request) async throws -> Response {
        var body = JSONObjectReader(try await request.json())
        let token = body.required("refreshToken", String.self)
        try body.finish()
        guard let token else { throw body.faults }
        return try await answer(try await sessions.refresh(token), status: .ok)
    }

    private func signOut(_ context: APIContext) async throws -> Response {
        try await sessions.end(try context.signedIn())
        return Response(status: .noContent)
    }

    private func list(_ request: Request, _ context: APIContext) async throws -> Response {
        try QueryReader.expectNone(in: request)
        let caller = try context.signedIn()
        let items = try await sessions.open(of: caller.accountID).map {
            ShownSession(session: $0, isCurrent: $0.id == caller.sessionID)
        }
        return .json(
            JSONWriter.bytes(of: WholeList(items: items)))
    }

    private func end(_ context: APIContext) async throws -> Response {
        let account = try context.signedIn().accountID
        guard let id = context.parameters.get("id").flatMap(UUID.init(uuidString:)) else {
            throw ProblemDetails(.notFound)
        }
        try await sessions.end(id, of: account)
        return Response(status: .noContent)
    }

    private func answer(_ tokens: SessionTokens, status: HTTPResponse.Status) async throws -> Response {
        let session = SessionAnswer(tokens: tokens, account: try await accounts.profile(of: tokens.accountID))
        return .json(
            JSONWriter.bytes(of: session), status: status)
    }
}

extension Request {
    /// What the client calls itself: the first 200 characters of `User-Agent`; nil if it does not.
    fileprivate var device: String? {
        let text = (headers[.userAgent] ?? "").unicodeScalars.prefix(200).filter {
            $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value)
        }
        return text.isEmpty ? nil : String(String.UnicodeScalarView(text))
    }
}
