import Domain
import FoundationEssentials
import HTTPTypes
import Hummingbird
import JSON
import Service
package import Web

/// One's own API keys.
package struct KeyRoutes: RouteGroup {
    let keys: AccountKeys

    package var routes: [Route] {
        [
            Route(.post, "/v1/me/keys", .personal, reads: [.body], problems: [.tooManyKeys, .forbidden], create),
            Route(.get, "/v1/me/keys", .personal, reads: [.query], list),
            Route(.delete, "/v1/me/keys/{id}", .personal, problems: [.notFound]) { _, context in
                try await delete(context)
            },
        ]
    }

    private func create(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.signedIn()
        var body = JSONObjectReader(try await request.json())
        let name = body.required("name", String.self, KeyName.init(_:))
        let scopes = body.words("scopes", count: 1...KeyScope.allCases.count, KeyScope.init(word:))
        let expires = body.optional("expires", String.self) { (text) throws(RuleViolation) in try Instant(text) }
        do throws(Faults) {
            try body.finish()
        } catch {
            throw error + keys.faults(expires: expires)
        }
        guard let name, let scopes else { throw body.faults }
        let new = try await keys.create(name: name, scopes: Set(scopes), expires: expires, by: caller)
        return .json(JSONWriter.bytes(of: new), status: .created)
    }

    private func list(_ request: Request, _ context: APIContext) async throws -> Response {
        try QueryReader.expectNone(in: request)
        let items = try await keys.keys(of: try context.signedIn().accountID)
        return .json(JSONWriter.bytes(of: WholeList(items: items)))
    }

    private func delete(_ context: APIContext) async throws -> Response {
        let account = try context.signedIn().accountID
        guard let id = context.parameters.get("id").flatMap(UUID.init(uuidString:)) else {
            throw ProblemDetails(.notFound)
        }
        try await keys.delete(id, of: account)
        return Response(status: .noContent)
    }
}
