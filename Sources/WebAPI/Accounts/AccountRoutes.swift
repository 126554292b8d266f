import Domain
import HTTPTypes
import Hummingbird
import JSON
import Service
package import Web

/// Signing up, and one's own account.
package struct AccountRoutes: RouteGroup {
    let accounts: AccountService
    let log: LogState

    package var routes: [Route] {
        [
            Route(
                .post, "/v1/accounts", .credentials, reads: [.body, .key],
                problems: [.emailTaken, .gone, .unavailable]
            ) { request, _ in try await register(request) },
            Route(.get, "/v1/me", .signedIn, reads: [.query, .tag], problems: [.gone], me),
            Route(
                .patch, "/v1/me", .personal, reads: [.body, .key, .version], problems: [.notFound, .gone], change),
        ]
    }

    private func register(_ request: Request) async throws -> Response {
        let key = try IdempotencyKey(request.headers)
        let signUp = try SignUp(try await request.json(), rules: accounts)
        let profile = try await accounts.register(signUp, key: key.uuid)
        var headers: HTTPFields = [.location: "/v1/me"]
        try headers.tell(position: profile.position, of: log)
        return try Response.ownRepresentation(
            JSONWriter.bytes(of: profile), version: profile.version, for: request, status: .created,
            headers: headers)
    }

    private func me(_ request: Request, _ context: APIContext) async throws -> Response {
        try QueryReader.expectNone(in: request)
        let profile = try await accounts.profile(of: try context.signedIn().accountID)
        var headers: HTTPFields = [:]
        try headers.tell(position: profile.position, of: log)
        return try Response.ownRepresentation(
            JSONWriter.bytes(of: profile), version: profile.version, for: request, headers: headers)
    }

    private func change(_ request: Request, _ context: APIContext) async throws -> Response {
        let change = try ChangeHeaders(request, context)
        let patch = try ChangeAccount(patch: try await request.json(isPatch: true))
        let profile = try await accounts.change(change.account, patch, ifVersions: change.versions, key: change.key)
        var headers: HTTPFields = [:]
        try headers.tell(position: profile.position, of: log)
        return try Response.ownRepresentation(
            JSONWriter.bytes(of: profile), version: profile.version, for: request, headers: headers)
    }
}

extension SignUp {
    /// Reads a sign-up. Values that violate only `rules`, which may change, are left to the service, because the
    /// request may be a retry.
    /// - Throws: `Faults`, all at once.
    init(_ node: JSONValue, rules: AccountService) throws(Faults) {
        var body = JSONObjectReader(node)
        let email = body.required("email", String.self, EmailAddress.init(_:))
        let password = body.required("password", String.self)
        let name = body.required("name", String.self, PersonName.init(_:))
        let oldEnough = body.required("oldEnough", Bool.self)
        let displayName = body.optional("displayName", String.self, DisplayName.init(_:))
        let attribution = body.optional("attribution", String.self, Attribution.init(word:))
        let state = body.optional("state", String.self) { (text) throws(RuleViolation) in try StateCode(text) }
        let region = body.optional("region", String.self) { (text) throws(RuleViolation) in try RegionCode(text) }
        let licence = body.optional("licence", String.self, Licence.init(word:))
        let geoprivacy = body.optional("geoprivacy", String.self, Geoprivacy.init(word:))
        do throws(Faults) {
            try body.finish()
        } catch {
            throw error
                + rules.faults(password: password, email: email, state: state, region: region, oldEnough: oldEnough)
        }
        guard let email, let password, let name, let oldEnough else { throw body.faults }
        self.init(email: email, password: password, name: name, oldEnough: oldEnough)
        self.displayName = displayName
        self.attribution = attribution ?? self.attribution
        self.state = state
        self.region = region
        self.licence = licence ?? self.licence
        self.geoprivacy = geoprivacy ?? self.geoprivacy
    }
}

extension ChangeAccount {
    /// Reads a merge patch.
    /// - Throws: `Faults`, all at once.
    init(patch node: JSONValue) throws(Faults) {
        self.init()
        var body = JSONObjectReader(node)
        name = body.replacement("name", String.self, PersonName.init(_:))
        displayName = body.change("displayName", String.self, DisplayName.init(_:))
        forgetsFormer = body.replacement("forgetFormer", Bool.self) { (given) throws(RuleViolation) in given } ?? false
        changes.attribution = body.replacement("attribution", String.self, Attribution.init(word:))
        changes.state = body.change("state", String.self) { (text) throws(RuleViolation) in try StateCode(text) }
        changes.region = body.change("region", String.self) { (text) throws(RuleViolation) in try RegionCode(text) }
        changes.licence = body.replacement("licence", String.self, Licence.init(word:))
        changes.geoprivacy = body.replacement("geoprivacy", String.self, Geoprivacy.init(word:))
        changes.language = body.change("language", String.self) { (text) throws(RuleViolation) in
            try LanguageTag(text)
        }
        changes.publicGallery = body.replacement("publicGallery", Bool.self) { (given) throws(RuleViolation) in given }
        try body.finish()
    }
}
