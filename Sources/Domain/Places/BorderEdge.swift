/// A straight piece of a border, in millionths of a degree. Straight means in degrees, as GeoJSON has it.
struct BorderEdge: Sendable {
    let x1: Int32
    let y1: Int32
    let x2: Int32
    let y2: Int32
    /// The numbers of the areas on its two sides; 0 is the sea.
    let sides: BorderLines.Sides

    var west: Int { Int(min(x1, x2)) }
    var east: Int { Int(max(x1, x2)) }
    var south: Int { Int(min(y1, y2)) }
    var north: Int { Int(max(y1, y2)) }

    /// Above zero when a point lies to the left of the line, below zero to the right, zero on it. Exact: the products
    /// stay under 2^58.
    private func side(x: Int, y: Int) -> Int {
        (Int(x2) - Int(x1)) * (y - Int(y1)) - (x - Int(x1)) * (Int(y2) - Int(y1))
    }

    /// Whether a point lies to the left of the line. A point on it is moved a little to the east, and far less to the
    /// north, so that it always lies on one side.
    private func isLeft(x: Int, y: Int) -> Bool {
        let side = side(x: x, y: y)
        return side != 0 ? side > 0 : y2 < y1 || (y2 == y1 && x2 > x1)
    }

    /// Whether a path along a parallel crosses the edge, with its ends moved as in `isLeft`.
    func isCrossed(fromX start: Int, toX end: Int, y: Int) -> Bool {
        guard (Int(y1) <= y) != (Int(y2) <= y) else { return false }
        return isLeft(x: start, y: y) != isLeft(x: end, y: y)
    }

    /// Whether a path along a meridian crosses the edge, with its ends moved as in `isLeft`.
    func isCrossed(x: Int, fromY start: Int, toY end: Int) -> Bool {
        guard (Int(x1) <= x) != (Int(x2) <= x) else { return false }
        return isLeft(x: x, y: start) != isLeft(x: x, y: end)
    }

    /// Whether any of the edge lies within a cell, whose sides do not count.
    func enters(_ cell: GridCell) -> Bool {
        let (low, high) = (cell.southWest, cell.northEast)
        guard east > low.x, west < high.x, north > low.y, south < high.y else { return false }
        // Its spans overlap those of the cell, so it misses the cell only if all four corners are on one side.
        let sides = sides(ofCornersFrom: low, to: high)
        return !(sides.least >= 0 || sides.most <= 0)
    }

    /// Whether the line through the edge meets a rectangle, whose sides count.
    func lineMeets(_ low: GridPoint, _ high: GridPoint) -> Bool {
        let sides = sides(ofCornersFrom: low, to: high)
        return sides.least <= 0 && sides.most >= 0
    }

    private func sides(ofCornersFrom low: GridPoint, to high: GridPoint) -> (least: Int, most: Int) {
        let one = side(x: low.x, y: low.y)
        let two = side(x: high.x, y: low.y)
        let three = side(x: high.x, y: high.y)
        let four = side(x: low.x, y: high.y)
        return (min(min(one, two), min(three, four)), max(max(one, two), max(three, four)))
    }
}
