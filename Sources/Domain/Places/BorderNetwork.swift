/// All borders, their edges sorted into cells of a tenth of a degree.
///
/// The area at the south-western corner of each cell is known. The path from there to a point, north and then east,
/// stays within the cell, and each edge that it crosses leads from one area into another. So a look-up takes time
/// proportional to the edges of the cell; nine cells of ten have none. A class, because copying a struct would retain
/// each of its arrays.
final class BorderNetwork: Sendable {
    private let cells: BorderCells
    private let corners: CornerAreas
    private let lines: BorderLines

    /// Sorts the edges of lines into cells.
    init(_ lines: BorderLines) {
        var cells = BorderCells(lines)
        corners = CornerAreas(&cells, lines)
        self.cells = cells
        self.lines = lines
    }

    /// The areas that hold a point: one, or none at sea. A point on a border is in exactly one of the areas beside it.
    func areas(at point: GridPoint) -> AreaSet {
        let (row, column) = (BorderCells.row(point.y), BorderCells.column(point.x))
        let cell = cells.number(row, column)
        var areas = corners.areas(at: cell)
        guard cell >= 0 else { return areas }
        let (x, y) = (BorderCells.x(column), BorderCells.y(row))
        for number in cells.edges(of: cell) {
            let edge = lines[number]
            let isCrossed =
                edge.isCrossed(x: x, fromY: y, toY: point.y) != edge.isCrossed(fromX: x, toX: point.x, y: point.y)
            if isCrossed { areas.cross(edge) }
        }
        return areas
    }

    /// Calls back with every edge, those of a line one after the other.
    func forEachEdge(_ body: (BorderEdge) -> Void) {
        for number in lines.edges { body(lines[number]) }
    }

    /// Calls back with every edge in the cell around a point, until told to stop.
    func forEachEdge(around point: GridPoint, _ body: (BorderEdge) -> Bool) {
        let cell = cells.number(BorderCells.row(point.y), BorderCells.column(point.x))
        guard cell >= 0 else { return }
        for number in cells.edges(of: cell) where !body(lines[number]) { return }
    }

    /// Calls back with every edge in the cells that meet a rectangle, some of them more than once. The rectangle may
    /// extend beyond the 180th meridian and the poles.
    func forEachEdge(in box: NearestPoint.Box, _ body: (BorderEdge) -> Void) {
        let columns = BorderCells.columns
        let first = (box.west + 180 * GridPoint.perDegree).dividedDown(by: BorderCells.side)
        let last = min(
            (box.east + 180 * GridPoint.perDegree).dividedDown(by: BorderCells.side), first + columns - 1)
        let south = BorderCells.row(box.south)
        for row in south...max(south, BorderCells.row(box.north)) {
            var place = first
            while place <= last {
                let column = (place % columns + columns) % columns
                let cell = cells.number(row, column)
                guard cell >= 0 else {
                    place += BorderCells.tileCells - column % BorderCells.tileCells
                    continue
                }
                for number in cells.edges(of: cell) { body(lines[number]) }
                place += 1
            }
        }
    }
}
