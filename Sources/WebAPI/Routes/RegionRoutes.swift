package import Domain
internal import HTTPTypes
internal import Hummingbird

/// The regions with their zones and states.
package struct RegionRoutes: RouteGroup {
    private let body: [UInt8]

    /// - Parameters:
    ///   - regions: all of them.
    ///   - stateNames: a state's name by its ISO 3166-2 code.
    package init(_ regions: [Region], stateNames: [StateCode: String]) {
        let views = regions.sorted { $0.code.text < $1.code.text }.map { region in
            RegionView(
                code: region.code.text, name: region.name, zone: region.zone.text,
                states: region.members.sorted { $0.text < $1.text }.map {
                    RegionView.State(code: $0.text, name: stateNames[$0] ?? $0.text)
                })
        }
        body = JSONWriter.bytes(of: WholeList(items: views))
    }

    /// Adds `/regions`.
    package func addRoutes(to surfaces: RouteSurfaces) {
        surfaces.anyone.get("regions") { request, _ in
            try QueryReader.expectNone(in: request)
            return try Response.publicRepresentation(body, for: request)
        }
    }
}
