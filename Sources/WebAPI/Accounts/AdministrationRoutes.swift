import Domain
import Forms
import HTTPTypes
import Hummingbird
import JSON
import Service
package import Web

/// What admins see of accounts, and do with them.
package struct AdministrationRoutes: RouteGroup {
    let accounts: AccountService
    let log: LogState

    package var routes: [Route] {
        let account = "/v1/accounts/{id}"
        let (suspension, name) = (account + "/suspension", account + "/display-name")
        let gone: Set<ProblemType> = [.notFound, .gone]
        return [
            Route(.post, "/v1/accounts/lookup", .admins, reads: [.body], problems: gone, lookUp),
            Route(.get, account, .admins, reads: [.query], problems: gone, read),
            Route(.post, account + "/roles", .admins, reads: [.body, .key], problems: gone, grant),
            Route(
                .delete, account + "/roles/{role}", .admins, reads: [.query, .key],
                problems: gone.union([.conflict, .lastAdmin]), revoke),
            Route(.put, suspension, .admins, reads: [.body, .key], problems: gone.union([.conflict]), suspend),
            Route(.delete, suspension, .admins, reads: [.query, .key], problems: gone, reinstate),
            Route(.delete, name, .admins, reads: [.query, .key], problems: gone, removeDisplayName),
        ]
    }

    private func lookUp(_ request: Request, _ context: APIContext) async throws -> Response {
        var body = JSONObjectReader(try await request.json())
        let email = body.required("email", String.self, EmailAddress.init(_:))
        try body.finish()
        guard let email else { throw body.faults }
        guard let account = try await accounts.account(holding: email) else { throw CommandError.notFound }
        return try answer(AdministeredAccount(account: try await accounts.profile(of: account)))
    }

    private func read(_ request: Request, _ context: APIContext) async throws -> Response {
        try QueryReader.expectNone(in: request)
        return try answer(AdministeredAccount(account: try await accounts.profile(of: try context.accountID())))
    }

    private func grant(_ request: Request, _ context: APIContext) async throws -> Response {
        let change = try ChangeHeaders(request, context, isVersioned: false)
        let account = try context.accountID()
        var body = JSONObjectReader(try await request.json())
        let role = body.required("role", String.self, Role.init(word:))
        try body.finish()
        guard let role else { throw body.faults }
        let profile = try await accounts.grant(role, to: account, by: change.account, key: change.key)
        return try answer(AccountRoles(account: profile), at: profile.position)
    }

    private func revoke(_ request: Request, _ context: APIContext) async throws -> Response {
        guard let role = context.parameters.get("role").flatMap(Role.init(rawValue:)) else {
            throw ProblemDetails(.notFound)
        }
        let (asked, account, reason) = try deletion(request, context, RevocationReason.init(word:))
        let profile = try await accounts.revoke(role, of: account, for: reason ?? .other, asked)
        return try answer(AccountRoles(account: profile), at: profile.position)
    }

    private func suspend(_ request: Request, _ context: APIContext) async throws -> Response {
        let change = try ChangeHeaders(request, context, isVersioned: false)
        let account = try context.accountID()
        var body = JSONObjectReader(try await request.json())
        let reason = body.required("reason", String.self, SuspensionReason.init(word:))
        let until = body.optional("until", String.self) { (text) throws(RuleViolation) in try Instant(text) }
        try body.finish()
        guard let reason else { throw body.faults }
        let asked = AdministrationRequest(by: change.account, key: change.key)
        return try answer(try await accounts.suspend(account, for: reason, until: until, asked))
    }

    private func reinstate(_ request: Request, _ context: APIContext) async throws -> Response {
        let (asked, account, reason) = try deletion(request, context, ReinstatementReason.init(word:))
        return try answer(try await accounts.reinstate(account, for: reason ?? .other, asked))
    }

    private func removeDisplayName(_ request: Request, _ context: APIContext) async throws -> Response {
        let (asked, account, reason) = try deletion(request, context, DisplayNameReason.init(word:))
        return try answer(try await accounts.removeDisplayName(of: account, for: reason ?? .other, asked))
    }

    /// The request of a `DELETE`, its account, and its reason.
    private func deletion<Reason>(
        _ request: Request, _ context: APIContext, _ make: (String) throws(RuleViolation) -> Reason
    ) throws -> (AdministrationRequest, AccountID, Reason?) {
        let change = try ChangeHeaders(request, context, isVersioned: false)
        let account = try context.accountID()
        var query = QueryReader(request)
        let reason = query.optional("reason", make)
        try query.finish()
        return (AdministrationRequest(by: change.account, key: change.key), account, reason)
    }

    private func answer(_ profile: AccountProfile) throws -> Response {
        try answer(AdministeredAccount(account: profile), at: profile.position)
    }

    private func answer(_ body: some JSONRepresentable, at position: Int64? = nil) throws -> Response {
        var headers: HTTPFields = [:]
        if let position { try headers.tell(position: position, of: log) }
        return .json(JSONWriter.bytes(of: body), headers: headers)
    }
}

extension APIContext {
    /// The account that the path names.
    /// - Throws: 404 for what is no id.
    fileprivate func accountID() throws(ProblemDetails) -> AccountID {
        guard let id = parameters.get("id").flatMap(AccountID.init) else { throw ProblemDetails(.notFound) }
        return id
    }
}
