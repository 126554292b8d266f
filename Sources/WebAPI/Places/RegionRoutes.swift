package import Domain
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

/// A region with the names of its states.
struct NamedRegion: JSONRepresentable {
    let region: Region
    /// A state's name by its ISO 3166-2 code.
    let stateNames: [StateCode: String]

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("code", region.code)
            writer.field("name", region.name)
            writer.field("zone", region.zone)
            writer.field("states", array: region.members.sorted { $0.text < $1.text }) { writer, state in
                writer.object { writer in
                    writer.field("code", state)
                    writer.field("name", stateNames[state] ?? state.text)
                }
            }
        }
    }
}
