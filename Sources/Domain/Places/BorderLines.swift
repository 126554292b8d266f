/// Lines with the areas on their two sides, in ten bytes per point.
struct BorderLines: Sendable {
    /// The numbers of two areas; 0 is the sea.
    typealias Sides = (UInt8, UInt8)

    private var points: [(x: Int32, y: Int32)] = []
    /// The sides of the edge from each point to the next; both the same where a line ends.
    private var sides: [Sides] = []

    /// The numbers of all edges.
    var edges: some Sequence<Int32> {
        sides.indices.lazy.filter { [sides] in sides[$0].0 != sides[$0].1 }.map { Int32($0) }
    }

    mutating func reserve(points count: Int) {
        points.reserveCapacity(count)
        sides.reserveCapacity(count)
    }

    /// Appends a line. A line with the same area on both sides is no border.
    mutating func append(_ line: some Sequence<GridPoint>, sides between: Sides) {
        for point in line {
            points.append((Int32(truncatingIfNeeded: point.x), Int32(truncatingIfNeeded: point.y)))
            sides.append(between)
        }
        if let last = sides.indices.last { sides[last] = (0, 0) }
    }

    /// The edge with a number.
    subscript(edge: Int32) -> BorderEdge {
        let (from, to) = (points[Int(edge)], points[Int(edge) + 1])
        return BorderEdge(x1: from.x, y1: from.y, x2: to.x, y2: to.y, sides: sides[Int(edge)])
    }
}
