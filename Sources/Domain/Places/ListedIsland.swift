/// An island that the polygons lack, or leave to the wrong state: all within a circle belongs to a state, or to none.
package struct ListedIsland: Hashable, Sendable {
    /// The English name.
    package let name: String
    /// The state, or nil when the island is abroad.
    package let state: StateCode?
    /// The middle of the circle.
    package let centre: Coordinate
    /// The radius of the circle in metres.
    package let radiusMetres: Double

    /// Puts an island together.
    package init(name: String, state: StateCode?, centre: Coordinate, radiusMetres: Double) {
        self.name = name
        self.state = state
        self.centre = centre
        self.radiusMetres = radiusMetres
    }

    func contains(_ coordinate: Coordinate) -> Bool {
        // A degree of latitude is at least 110.5 km: most islands are told apart without a geodesic.
        guard abs(coordinate.latitude - centre.latitude) * 110_500 <= radiusMetres else { return false }
        return Geodesic.inverseMetres(coordinate, centre) <= radiusMetres
    }
}
