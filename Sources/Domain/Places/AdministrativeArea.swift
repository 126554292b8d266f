/// An area with a border: a state, a region, a country, or land abroad that lies close to a state.
package struct AdministrativeArea: Sendable {
    /// What sort of area it is.
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
    /// What sort of area it is.
    package let level: Level
    /// The parts.
    package let polygons: [Polygon]

    /// Puts an area together. Rings that enclose nothing are ignored later, none is an error.
    package init(code: String, name: String, level: Level, polygons: [Polygon]) {
        self.code = code
        self.name = name
        self.level = level
        self.polygons = polygons
    }
}
