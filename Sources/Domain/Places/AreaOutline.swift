/// The border of an area, its edges sorted into bands of a tenth of a degree of latitude.
///
/// Bands have the height of the coarsest cell, so that whether a point is inside, and whether a cell is crossed, is
/// told from the edges of a single band: a few dozen even for Alaska.
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

    /// Whether a point lies within the border (even-odd rule). Of areas that share an edge exactly one holds a point on
    /// it.
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
