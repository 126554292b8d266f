import Glibc

/// Whether the end of a range in a region is the region's border, and not that of the range.
package enum Truncation {
    /// How near to the border a margin cell may not be, in metres.
    static let reach = 25_000.0

    /// - Parameters:
    ///   - cells: the occupied cells of the region and period.
    ///   - border: the lines that part the region from other land; a range that ends at the sea ends there.
    ///   - hasRecordsBeyond: whether approved records of the period lie beyond the border on that side.
    package static func isTruncated(
        _ cells: OccupiedCells, _ end: RangeEnd, border: [[Coordinate]], hasRecordsBeyond: Bool
    ) -> Bool {
        guard !cells.cells.isEmpty else { return false }
        return hasRecordsBeyond || cells.margin(end).contains { isNear($0, end, border) }
    }

    /// Whether the centre of another region's occupied cell lies ahead of a margin cell, at most 45 degrees to either
    /// side, however far away: the range goes on beyond the border.
    package static func goesOn(_ cells: OccupiedCells, _ end: RangeEnd, to centres: [Coordinate]) -> Bool {
        cells.margin(end).contains { cell in
            let horizon = Horizon(around: cell.centre, end)
            return centres.contains(where: horizon.isAhead)
        }
    }

    /// Whether a line lies within reach of the cell, in the quarter of the horizon that faces the end.
    private static func isNear(_ cell: MarginCell, _ end: RangeEnd, _ border: [[Coordinate]]) -> Bool {
        let horizon = Horizon(around: cell.centre, end)
        // From the cell's edge.
        let limit = reach + cell.side.metres / 2
        return border.contains { line in
            zip(line, line.dropFirst()).contains { horizon.distance(from: $0, to: $1) <= limit }
        }
    }
}

/// The plane around a place, in metres, with the end of a range ahead; true to a part in a thousand where it matters.
private struct Horizon {
    let centre: Coordinate
    let outward: Double
    let metresNorth: Double
    let metresEast: Double

    init(around centre: Coordinate, _ end: RangeEnd) {
        self.centre = centre
        outward = end.outward
        let latitude = centre.latitude * .pi / 180
        metresNorth = MeridianArc.slope(atRadians: latitude) * .pi / 180
        metresEast = 111_320 * cos(latitude)
    }

    /// The distance of the part of a segment that lies ahead, between 45 degrees to the left and to the right; infinite
    /// where no part does.
    func distance(from: Coordinate, to: Coordinate) -> Double {
        let start = (x: east(of: from), y: north(of: from))
        // The second point is on the side of the 180th meridian on which the first one is.
        let turn = (to.longitude - from.longitude).remainder(dividingBy: 360) * metresEast
        let step = (x: turn, y: north(of: to) - start.y)
        var (first, last) = (0.0, 1.0)
        // Both half planes: y + x and y - x are not negative.
        for (value, change) in [(start.y + start.x, step.y + step.x), (start.y - start.x, step.y - step.x)] {
            if change > 0 {
                first = max(first, -value / change)
            } else if change < 0 {
                last = min(last, -value / change)
            } else if !(value >= 0) {
                return .infinity
            }
        }
        guard first <= last else { return .infinity }
        let squared = step.x * step.x + step.y * step.y
        let nearest = squared > 0 ? -(start.x * step.x + start.y * step.y) / squared : 0
        let part = min(max(nearest, first), last)
        let (x, y) = (start.x + part * step.x, start.y + part * step.y)
        return (x * x + y * y).squareRoot()
    }

    /// Whether a place lies farther out, and not more to the side than that.
    func isAhead(_ place: Coordinate) -> Bool {
        let outward = north(of: place)
        return outward > 0 && abs(east(of: place)) <= outward
    }

    private func east(of place: Coordinate) -> Double {
        (place.longitude - centre.longitude).remainder(dividingBy: 360) * metresEast
    }

    private func north(of place: Coordinate) -> Double {
        (place.latitude - centre.latitude) * metresNorth * outward
    }
}
