/// A piece of border with the areas on its two sides.
package struct AreaBorder: Sendable {
    /// The code of the area on one side, a state's or that of land abroad; nil for the sea.
    package let left: String?
    /// The code of the area on the other side.
    package let right: String?
    /// The points of the border in order. A piece must not cross the 180th meridian.
    package let line: [Coordinate]

    package init(left: String?, right: String?, line: [Coordinate]) {
        self.left = left
        self.right = right
        self.line = line
    }
}

extension AreaBorder {
    /// The borders of areas that are given as polygons; an edge that two of them share is one border. Rings of fewer
    /// than three points, and those with a point that is not on Earth, are ignored.
    static func borders(of areas: [AdministrativeArea]) -> [AreaBorder] {
        var sides: [Edge: [String]] = [:]
        var order: [Edge] = []
        for area in areas {
            for ring in area.polygons.flatMap({ $0 }) where ring.count >= 3 {
                let points = ring.compactMap { GridPoint($0) }
                guard points.count == ring.count else { continue }
                for (from, to) in zip(points, points.dropFirst() + points.prefix(1)) where from != to {
                    let edge = Edge(from, to)
                    if sides[edge] == nil { order.append(edge) }
                    sides[edge, default: []].append(area.code)
                }
            }
        }
        return order.flatMap { edge in
            let codes = sides[edge] ?? []
            return stride(from: 0, to: codes.count, by: 2).map { first in
                AreaBorder(
                    left: codes[first], right: first + 1 < codes.count ? codes[first + 1] : nil,
                    line: [edge.from.coordinate, edge.to.coordinate])
            }
        }
    }

    /// An edge, regardless of its direction.
    private struct Edge: Hashable {
        let from: GridPoint
        let to: GridPoint

        init(_ one: GridPoint, _ other: GridPoint) {
            let isAscending = (one.x, one.y) < (other.x, other.y)
            (from, to) = isAscending ? (one, other) : (other, one)
        }
    }
}
