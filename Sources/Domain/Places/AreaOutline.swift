/// The border of an area, its edges sorted into bands of a tenth of a degree of latitude.
///
/// Bands have the height of the coarsest cell, so the edges of a single band, a few dozen even for Alaska, decide
/// whether a point is inside and whether a cell is crossed.
struct AreaOutline: Sendable {
    /// The height of a band in millionths of a degree.
    static let bandHeight = 100_000
    /// A rectangle around one part of the area, in millionths of a degree.
    typealias Box = (west: Int, south: Int, east: Int, north: Int)

    /// The rectangles around the parts.
    let boxes: [Box]
    private let firstBand: Int
    /// Where each band's edges start in `edges`; one more than there are bands.
    private let starts: [Int]
    private let edges: [BorderEdge]

    init(_ polygons: [AdministrativeArea.Polygon]) {
        let parts = polygons.map { $0.map(Self.points(of:)).filter { $0.count >= 3 } }
        boxes = parts.compactMap { Self.box(around: $0.first ?? []) }
        let all = parts.flatMap { $0.flatMap(Self.edges(of:)) }
        let low = all.map(\.lowestY).min() ?? 0
        let high = all.map(\.highestY).max() ?? 0
        firstBand = low.dividedDown(by: Self.bandHeight)
        let count = all.isEmpty ? 0 : high.dividedDown(by: Self.bandHeight) + 1 - firstBand
        var bands = [[BorderEdge]](repeating: [], count: count)
        for edge in all {
            let bottom = edge.lowestY.dividedDown(by: Self.bandHeight)
            let top = edge.highestY.dividedDown(by: Self.bandHeight)
            for band in bottom...top { bands[band - firstBand].append(edge) }
        }
        edges = bands.flatMap { $0 }
        starts = bands.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
    }

    /// A ring's points; none when one of them is not on Earth.
    private static func points(of ring: [Coordinate]) -> [GridPoint] {
        let points = ring.compactMap { GridPoint($0) }
        return points.count == ring.count ? points : []
    }

    private static func edges(of ring: [GridPoint]) -> [BorderEdge] {
        ring.indices.compactMap { BorderEdge(ring[$0], ring[$0 + 1 == ring.count ? 0 : $0 + 1]) }
    }

    private static func box(around ring: [GridPoint]) -> Box? {
        guard let west = ring.map(\.x).min(), let east = ring.map(\.x).max(),
            let south = ring.map(\.y).min(), let north = ring.map(\.y).max()
        else { return nil }
        return (west, south, east, north)
    }

    /// Whether a point lies within the border (even-odd rule). A point on an edge that areas share is in exactly one of
    /// them.
    func contains(_ point: GridPoint) -> Bool {
        var isInside = false
        for index in band(point.y.dividedDown(by: Self.bandHeight)) where edges[index].isCrossed(eastOf: point) {
            isInside.toggle()
        }
        return isInside
    }

    /// Whether a whole cell lies within the border; it may touch it.
    func contains(_ cell: GridCell) -> Bool {
        for index in band(cell.southWest.y.dividedDown(by: Self.bandHeight)) where edges[index].enters(cell) {
            return false
        }
        return contains(cell.centrePoint)
    }

    /// Calls back with every edge that has a part between two latitudes, some more than once.
    func forEachEdge(fromY low: Int, toY high: Int, _ body: (BorderEdge) -> Void) {
        let (first, last) = (low.dividedDown(by: Self.bandHeight), high.dividedDown(by: Self.bandHeight))
        guard first <= last else { return }
        for band in max(first, firstBand)..<max(last + 1, firstBand) {
            for index in self.band(band) { body(edges[index]) }
        }
    }

    private func band(_ number: Int) -> Range<Int> {
        let index = number - firstBand
        guard index >= 0, index + 1 < starts.count else { return 0..<0 }
        return starts[index]..<starts[index + 1]
    }
}

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
