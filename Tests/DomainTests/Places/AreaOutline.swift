@testable import Domain

/// The borders of a single area, for tests of points and cells within it.
struct AreaOutline {
    let network: BorderNetwork

    init(_ polygons: [AdministrativeArea.Polygon]) {
        let area = AdministrativeArea(code: "US-AA", name: "A", level: .state, polygons: polygons)
        var lines = BorderLines()
        for border in AreaBorder.borders(of: [area]) where border.right == nil {
            lines.append(border.line.compactMap { GridPoint($0) }, sides: (1, 0))
        }
        network = BorderNetwork(lines)
    }

    func contains(_ point: GridPoint) -> Bool { network.areas(at: point).first != nil }

    func contains(_ cell: GridCell) -> Bool {
        var isEntered = false
        network.forEachEdge(around: cell.centrePoint) { edge in
            isEntered = edge.enters(cell)
            return !isEntered
        }
        return !isEntered && contains(cell.centrePoint)
    }
}

extension NearestPoint {
    /// Metres to the border of an area, nil when no point of it is within reach.
    func distance(to outline: AreaOutline) -> Double? {
        areas(in: outline.network) { $0 > 0 }.map(\.metres).min()
    }
}
