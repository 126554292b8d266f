package import Domain
import Forms
import HTTPTypes
import Hummingbird
import JSON
package import Web

/// The regions with their zones and states.
package struct RegionRoutes: RouteGroup {
    private let body: [UInt8]

    /// - Parameters:
    ///   - regions: all of them.
    ///   - stateNames: a state's name by its ISO 3166-2 code.
    package init(_ regions: [Region], stateNames: [StateCode: String]) {
        let items = regions.sorted { $0.code.text < $1.code.text }
            .map { NamedRegion(region: $0, stateNames: stateNames) }
        body = JSONWriter.bytes(of: WholeList(items: items))
    }

    package var routes: [Route] {
        [
            Route(.get, "/v1/regions", .anyone, reads: [.query, .tag]) { request, _ in
                try QueryReader.expectNone(in: request)
                return try Response.publicRepresentation(body, for: request)
            }
        ]
    }
}
