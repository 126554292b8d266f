/// A point of a plane in whole units, so that being on one line is exact.
struct PlanePoint: Hashable, Comparable, Sendable {
    let x: Int
    let y: Int

    static func < (one: Self, other: Self) -> Bool {
        (one.x, one.y) < (other.x, other.y)
    }
}

/// The convex hull of points.
///
/// - Source: A. M. Andrew, "Another efficient algorithm for convex hulls in two dimensions", Information Processing
///   Letters 9 (1979), 216.
struct ConvexHull: Hashable, Sendable {
    /// The corners counter-clockwise from the westernmost one, none on a line between its neighbours; fewer than three
    /// for points on one line.
    let corners: [PlanePoint]

    /// - Precondition: differences of coordinates are below 2 × 10⁹, so that products fit.
    init(of points: some Sequence<PlanePoint>) {
        let ascending = Set(points).sorted()
        guard ascending.count > 2 else {
            corners = ascending
            return
        }
        corners = Self.chain(ascending) + Self.chain(ascending.reversed())
    }

    /// One side of the hull, without its last point, which the other side starts with.
    private static func chain(_ points: [PlanePoint]) -> [PlanePoint] {
        var chain: [PlanePoint] = []
        for point in points {
            while chain.count > 1, !turnsLeft(chain[chain.count - 2], chain[chain.count - 1], point) {
                chain.removeLast()
            }
            chain.append(point)
        }
        return chain.dropLast()
    }

    private static func turnsLeft(_ a: PlanePoint, _ b: PlanePoint, _ c: PlanePoint) -> Bool {
        // Each product is below 4 × 10¹⁸; both are compared, as their difference might not fit.
        (b.x - a.x) * (c.y - a.y) > (b.y - a.y) * (c.x - a.x)
    }
}
