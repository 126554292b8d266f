import Domain
import Forms
import HTTPTypes
import Hummingbird
import JSON
package import Web

/// The reasons that moderators and others choose from.
package struct ReasonRoutes: RouteGroup {
    private static let body = JSONWriter.bytes(of: ReasonLists())

    package var routes: [Route] {
        [
            Route(.get, "/v1/reasons", .anyone, reads: [.query, .tag]) { request, _ in
                try QueryReader.expectNone(in: request)
                return try Response.publicRepresentation(Self.body, for: request)
            }
        ]
    }
}
