import Glibc

/// A cell of 10 km by 10 km for the margins of ranges: rows along the meridian arc from the equator, columns along the
/// parallel from the 180th meridian, so that all cells have the same area.
///
/// - Source: the ellipsoidal sinusoidal projection (Snyder, "Map Projections: A Working Manual", 1987); the arc by
///   Helmert's series in the third flattening, to its fourth power.
package struct MarginCell: Hashable, Comparable, Sendable {
    package let row: Int
    package let column: Int

    package init(_ place: Coordinate) {
        // A latitude within 0.1 mm of the equator counts as 0, as in the database, where it would underflow.
        let latitude = abs(place.latitude) < 1e-9 ? 0 : place.latitude * .pi / 180
        let eccentricity = Geodesic.flattening * (2 - Geodesic.flattening)
        let across = Geodesic.equatorialRadius * cos(latitude) / (1 - eccentricity * pow(sin(latitude), 2)).squareRoot()
        row = Int((Self.arc(to: latitude) / Self.side).rounded(.down))
        column = Int((across * (place.longitude + 180) * .pi / 180 / Self.side).rounded(.down))
    }

    /// Metres.
    package static let side = 10_000.0

    /// Metres along the meridian from the equator to a latitude in radians.
    static func arc(to latitude: Double) -> Double {
        6_367_449.145823415 * latitude - 16_038.508662968 * sin(2 * latitude) + 16.832613263 * sin(4 * latitude)
            - 0.021984439 * sin(6 * latitude) + 0.000031148 * sin(8 * latitude)
    }

    /// From south to north, then from west to east.
    package static func < (one: Self, other: Self) -> Bool {
        (one.row, one.column) < (other.row, other.column)
    }
}
