/// An area with a border: a state, a region, a country, or land abroad that lies close to a state.
package struct AdministrativeArea: Sendable {
    /// The kind of area.
    package enum Level: String, CaseIterable, Sendable {
        /// A state, province or territory; its code is ISO 3166-2.
        case state
        /// A group of states; its code is a ``Region``'s.
        case region
        /// A country; its code is ISO 3166-1.
        case country
        /// Land of a country without states here: places on it have no state, however near one is.
        case abroad
    }

    /// One part of an area: an outer ring and then the rings of its holes, as in GeoJSON (RFC 7946). A ring may repeat
    /// its first point at the end or not, and must not cross the 180th meridian.
    package typealias Polygon = [[Coordinate]]

    /// The code, such as "US-WA", "pacific-northwest" or "US".
    package let code: String
    /// The English name.
    package let name: String
    /// The kind of area.
    package let level: Level
    /// The parts.
    package let polygons: [Polygon]

    /// Rings that enclose nothing are ignored; they are no error.
    package init(code: String, name: String, level: Level, polygons: [Polygon]) {
        self.code = code
        self.name = name
        self.level = level
        self.polygons = polygons
    }
}

/// A group of states, provinces and territories that shares weekly targets.
package struct Region: Hashable, Sendable {
    /// The code: "pacific-northwest".
    package let code: RegionCode
    /// The English name.
    package let name: String
    /// The zone that alone defines when the region's week begins and which day a date in it means.
    package let zone: ZoneName
    /// The states of the region; each state is in one region.
    package let members: [StateCode]

    package init(code: RegionCode, name: String, zone: ZoneName, members: [StateCode]) {
        self.code = code
        self.name = name
        self.zone = zone
        self.members = members
    }
}

/// An island that the polygons lack, or assign to the wrong state: a circle that belongs to one state, or to none.
package struct ListedIsland: Hashable, Sendable {
    /// The English name.
    package let name: String
    /// The state, or nil when the island is abroad.
    package let state: StateCode?
    /// The middle of the circle.
    package let centre: Coordinate
    /// The radius of the circle in metres.
    package let radiusMetres: Double

    package init(name: String, state: StateCode?, centre: Coordinate, radiusMetres: Double) {
        self.name = name
        self.state = state
        self.centre = centre
        self.radiusMetres = radiusMetres
    }

    func contains(_ coordinate: Coordinate) -> Bool {
        // A degree of latitude is at least 110.5 km: most islands are ruled out without a geodesic.
        guard abs(coordinate.latitude - centre.latitude) * 110_500 <= radiusMetres else { return false }
        return Geodesic.inverseMetres(coordinate, centre).map { $0 <= radiusMetres } ?? false
    }
}
