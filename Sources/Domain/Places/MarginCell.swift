import Glibc

/// A cell for the margins of ranges: rows along the meridian arc from the equator, columns along the parallel from the
/// 180th meridian, so that all cells of a side have the same area.
///
/// - Source: the ellipsoidal sinusoidal projection (Snyder, "Map Projections: A Working Manual", 1987).
package struct MarginCell: Hashable, Comparable, Sendable {
    package let row: Int
    package let column: Int
    package let side: CellSide

    package init(row: Int, column: Int, side: CellSide = .ten) {
        (self.row, self.column, self.side) = (row, column, side)
    }

    /// Finds the cell around a place. A place that is not on Earth counts as the nearest one that is.
    package init(_ place: Coordinate, side: CellSide = .ten) {
        let degrees = min(max(-90, place.latitude), 90)
        // A latitude within 0.1 mm of the equator counts as 0, as in the database, where it would underflow.
        let latitude = abs(degrees) < 1e-9 ? 0 : degrees * .pi / 180
        let longitude = min(max(-180, place.longitude), 180)
        let across = Self.radius(ofParallel: latitude)
        row = Int((MeridianArc.metres(toRadians: latitude) / side.metres).rounded(.down))
        column = Int((across * (longitude + 180) * .pi / 180 / side.metres).rounded(.down))
        self.side = side
    }

    /// The latitude of the row's centre, in degrees; a pole where the centre lies beyond it.
    package var latitude: Double { MeridianArc.latitude(at: (Double(row) + 0.5) * side.metres) }

    /// The middle of the cell. In the last column and row it may lie outside the Earth's outline; it then is at the
    /// 180th meridian or the pole.
    package var centre: Coordinate {
        let latitude = latitude
        let across = Self.radius(ofParallel: latitude * .pi / 180)
        let east = (Double(column) + 0.5) * side.metres
        // At a pole every longitude is the same place.
        let degrees = abs(latitude) == 90 ? 0 : min(east / across * 180 / .pi - 180, 180)
        return Coordinate(uncheckedLatitude: latitude, longitude: degrees)
    }

    /// The radius of a circle of latitude in metres, for radians.
    private static func radius(ofParallel latitude: Double) -> Double {
        let eccentricity = Geodesic.flattening * (2 - Geodesic.flattening)
        return Geodesic.equatorialRadius * cos(latitude) / (1 - eccentricity * pow(sin(latitude), 2)).squareRoot()
    }

    /// From south to north, then from west to east.
    package static func < (one: Self, other: Self) -> Bool {
        (one.row, one.column, one.side) < (other.row, other.column, other.side)
    }
}
