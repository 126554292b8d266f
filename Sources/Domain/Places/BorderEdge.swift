/// A straight piece of a border, in millionths of a degree. Straight means in degrees, as GeoJSON has it.
struct BorderEdge: Sendable {
    let x1: Int32
    let y1: Int32
    let x2: Int32
    let y2: Int32

    /// The edge between two points, nil when they are the same.
    init?(_ from: GridPoint, _ to: GridPoint) {
        guard from != to else { return nil }
        (x1, y1) = (Int32(truncatingIfNeeded: from.x), Int32(truncatingIfNeeded: from.y))
        (x2, y2) = (Int32(truncatingIfNeeded: to.x), Int32(truncatingIfNeeded: to.y))
    }

    var lowestY: Int { Int(min(y1, y2)) }
    var highestY: Int { Int(max(y1, y2)) }

    /// Above zero when a point lies to the left of the line, below zero to the right, zero on it. Exact: the products
    /// stay under 2^58.
    private func side(x: Int, y: Int) -> Int {
        (Int(x2) - Int(x1)) * (y - Int(y1)) - (x - Int(x1)) * (Int(y2) - Int(y1))
    }

    /// Whether a ray from a point eastward crosses the edge. Counting the lower end in and the upper out, a ray through
    /// a corner of the border counts once.
    func isCrossed(eastOf point: GridPoint) -> Bool {
        let isUpward = Int(y1) <= point.y
        guard isUpward != (Int(y2) <= point.y) else { return false }
        let side = side(x: point.x, y: point.y)
        return isUpward ? side > 0 : side < 0
    }

    /// Whether any of the edge lies within a cell, its sides not counted.
    func enters(_ cell: GridCell) -> Bool {
        let (low, high) = (cell.southWest, cell.northEast)
        guard Int(max(x1, x2)) > low.x, Int(min(x1, x2)) < high.x, highestY > low.y, lowestY < high.y else {
            return false
        }
        // Within both spans, it passes the cell only with all four corners on one side.
        let sides = (
            side(x: low.x, y: low.y), side(x: high.x, y: low.y), side(x: high.x, y: high.y), side(x: low.x, y: high.y)
        )
        let isLeft = sides.0 >= 0 && sides.1 >= 0 && sides.2 >= 0 && sides.3 >= 0
        let isRight = sides.0 <= 0 && sides.1 <= 0 && sides.2 <= 0 && sides.3 <= 0
        return !(isLeft || isRight)
    }
}
