import Glibc

/// The area of the cells of a square grid that points lie in, and how it depends on where the grid is placed.
package struct GridArea: Hashable, Sendable {
    /// Occupied cells of the grid with a corner at the origin.
    package let cells: Int
    /// The fewest and the most occupied cells over all shifts of the grid.
    package let fewest: Int
    package let most: Int
    /// The first shift with the fewest cells, in metres.
    let bestShiftEast: Double
    let bestShiftNorth: Double

    /// Counts cells.
    /// - Parameters:
    ///   - points: in metres.
    ///   - side: that of a cell, in metres.
    ///   - shifts: how many steps the grid is moved in each direction, the first being none.
    init?(of points: [(x: Double, y: Double)], side: Double, shifts: Int) {
        guard !points.isEmpty, side > 0, shifts > 0 else { return nil }
        let step = side / Double(shifts)
        var counts: [Int] = []
        for north in 0..<shifts {
            for east in 0..<shifts {
                counts.append(
                    Self.count(points, side, east: Double(east) * step, north: Double(north) * step))
            }
        }
        guard let first = counts.first, let fewest = counts.min(), let most = counts.max(),
            let best = counts.firstIndex(of: fewest)
        else { return nil }
        (cells, self.fewest, self.most) = (first, fewest, most)
        (bestShiftEast, bestShiftNorth) = (Double(best % shifts) * step, Double(best / shifts) * step)
    }

    private struct Cell: Hashable {
        let column: Double
        let row: Double
    }

    private static func count(
        _ points: [(x: Double, y: Double)], _ side: Double, east: Double, north: Double
    ) -> Int {
        // Cells keep floating-point numbers, as a point may be anywhere.
        Set(
            points.map { point in
                Cell(
                    column: ((point.x - east) / side).rounded(.down), row: ((point.y - north) / side).rounded(.down))
            }
        ).count
    }
}

extension GridArea {
    /// The area of occupancy: cells of 2 km of EPSG:6933 from its origin, with 16 shifts of 500 m.
    ///
    /// - Source: IUCN, "Guidelines for Using the Red List Categories and Criteria", version 16, 4.10.
    package static func ofOccupancy(_ places: some Sequence<Coordinate>) -> Result<GridArea, MissingReason> {
        let points = places.filter { abs($0.latitude) <= 90 && abs($0.longitude) <= 180 }.map(EqualAreaPlane.point)
        guard let area = GridArea(of: points, side: occupancySide, shifts: 4) else { return .failure(.noRecords) }
        return .success(area)
    }

    private static let occupancySide = 2000.0

    /// The areas of occupancy in square kilometres, of each count of cells.
    package var km2: Double { Double(cells) * 4 }
    package var minKm2: Double { Double(fewest) * 4 }
    package var maxKm2: Double { Double(most) * 4 }
}

/// The cylindrical equal-area projection of WGS 84 with the standard parallel of 30 degrees: EPSG:6933.
///
/// - Source: Snyder, "Map Projections: A Working Manual" (1987), 10-14 to 10-19.
enum EqualAreaPlane {
    /// Metres to the east and to the north of 0/0.
    static func point(of place: Coordinate) -> (x: Double, y: Double) {
        let sine = sin(place.latitude * .pi / 180)
        let e = GeodesicArea.eccentricity
        let squared = GeodesicArea.eccentricitySquared
        let authalic = (1 - squared) * (sine / (1 - squared * sine * sine) + atanh(e * sine) / e)
        let radius = Geodesic.equatorialRadius
        return (radius * scale * place.longitude * .pi / 180, radius * authalic / (2 * scale))
    }

    /// The scale along the equator.
    private static let scale = cos(Double.pi / 6) / (1 - GeodesicArea.eccentricitySquared / 4).squareRoot()
}
