import Domain
import HTTPTypes
import Hummingbird
import JSON
import Service
package import Web

/// Leaving: the erasure of one's own account.
package struct LeavingRoutes: RouteGroup {
    let leaving: Leaving

    package var routes: [Route] {
        [
            Route(
                .post, "/v1/me/erasure", .personal, reads: [.body, .key], problems: [.wrongPassword, .lastAdmin],
                whileSuspended: true, erase)
        ]
    }

    private func erase(_ request: Request, _ context: APIContext) async throws -> Response {
        let account = try context.signedIn().accountID
        let key = try IdempotencyKey(request.headers)
        var body = JSONObjectReader(try await request.json())
        let password = body.required("password", String.self)
        let sightings = body.required("sightings", String.self, LeavingChoice.init(word:))
        try body.finish()
        guard let password, let sightings else { throw body.faults }
        try await leaving.leave(account, password: password, sightings: sightings, key: key.uuid)
        return Response(status: .accepted)
    }
}
