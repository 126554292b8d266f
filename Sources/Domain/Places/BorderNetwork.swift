/// All borders, their edges sorted into cells of a tenth of a degree.
///
/// The area at the south-western corner of each cell is known. The path from there to a point, north and then east,
/// stays within the cell, and each edge that it crosses leads from one area into another. So a look-up takes time
/// proportional to the edges of the cell; nine cells of ten have none. A class, because copying a struct would retain
/// each of its arrays.
final class BorderNetwork: Sendable {
    /// The length of a cell's side in millionths of a degree: that of the coarsest cells to which places are
    /// generalised.
    static let side = 100_000
    private static let columns = 3_600
    private static let rows = 1_800
    /// Cells along a side of a tile, which is one degree.
    private static let tileCells = 10

    /// For each square degree, the number of the first of its hundred cells; for one without borders, the complement of
    /// the index of its areas in `sets`, which is below zero.
    private let tiles: [Int32]
    /// Where the edges of a cell start in `listed`; one more than there are cells.
    private let starts: [Int32]
    /// The areas at the cells' south-western corners, as indices of `sets`.
    private let corners: [UInt16]
    private let sets: [AreaSet]
    private let listed: [Int32]
    private let lines: BorderLines

    /// Sorts the edges of lines into cells.
    init(_ lines: BorderLines) {
        var cells = CellLists(lines)
        var sets = KnownSets()
        var corners = [UInt16](repeating: 0, count: cells.starts.count - 1)
        for row in 0..<Self.rows {
            let y = row * Self.side - 90 * GridPoint.perDegree
            var areas = AreaSet()
            var column = 0
            while column < Self.columns {
                let tile = Self.tile(row, column)
                guard cells.tiles[tile] >= 0 else {
                    cells.tiles[tile] = ~Int32(sets.number(of: areas))
                    column += Self.tileCells
                    continue
                }
                let cell = Int(cells.tiles[tile]) + Self.cellInTile(row, column)
                let x = column * Self.side - 180 * GridPoint.perDegree
                let inCell = cells.starts[cell]..<cells.starts[cell + 1]
                // An area may begin at the 180th meridian itself.
                if column == 0 {
                    for at in inCell {
                        let edge = lines[cells.listed[Int(at)]]
                        if edge.isCrossed(fromX: x - 1, toX: x, y: y) { areas.cross(edge) }
                    }
                }
                corners[cell] = UInt16(sets.number(of: areas))
                for at in inCell {
                    let edge = lines[cells.listed[Int(at)]]
                    if edge.isCrossed(fromX: x, toX: x + Self.side, y: y) { areas.cross(edge) }
                }
                column += 1
            }
        }
        self.lines = lines
        self.corners = corners
        self.sets = sets.all
        tiles = cells.tiles
        starts = cells.starts
        listed = cells.listed
    }

    /// The areas that hold a point: one, or none at sea. A point on a border is in exactly one of the areas beside it.
    func areas(at point: GridPoint) -> AreaSet {
        let (row, column) = (Self.row(point.y), Self.column(point.x))
        let tile = tiles[Self.tile(row, column)]
        guard tile >= 0 else { return sets[Int(~tile)] }
        let cell = Int(tile) + Self.cellInTile(row, column)
        var areas = sets[Int(corners[cell])]
        let x = column * Self.side - 180 * GridPoint.perDegree
        let y = row * Self.side - 90 * GridPoint.perDegree
        for at in starts[cell]..<starts[cell + 1] {
            let edge = lines[listed[Int(at)]]
            let isCrossed =
                edge.isCrossed(x: x, fromY: y, toY: point.y) != edge.isCrossed(fromX: x, toX: point.x, y: point.y)
            if isCrossed { areas.cross(edge) }
        }
        return areas
    }

    /// Calls back with every edge in the cell around a point, until told to stop.
    func forEachEdge(around point: GridPoint, _ body: (BorderEdge) -> Bool) {
        let (row, column) = (Self.row(point.y), Self.column(point.x))
        let tile = tiles[Self.tile(row, column)]
        guard tile >= 0 else { return }
        let cell = Int(tile) + Self.cellInTile(row, column)
        for at in starts[cell]..<starts[cell + 1] where !body(lines[listed[Int(at)]]) { return }
    }

    /// Calls back with every edge in the cells that meet a rectangle, some of them more than once. The rectangle may
    /// extend beyond the 180th meridian and the poles.
    func forEachEdge(in box: NearestPoint.Box, _ body: (BorderEdge) -> Void) {
        let first = (box.west + 180 * GridPoint.perDegree).dividedDown(by: Self.side)
        let last = min((box.east + 180 * GridPoint.perDegree).dividedDown(by: Self.side), first + Self.columns - 1)
        for row in Self.row(box.south)...max(Self.row(box.south), Self.row(box.north)) {
            var number = first
            while number <= last {
                let column = (number % Self.columns + Self.columns) % Self.columns
                let tile = tiles[Self.tile(row, column)]
                guard tile >= 0 else {
                    number += Self.tileCells - column % Self.tileCells
                    continue
                }
                let cell = Int(tile) + Self.cellInTile(row, column)
                for at in starts[cell]..<starts[cell + 1] { body(lines[listed[Int(at)]]) }
                number += 1
            }
        }
    }

    private static func tile(_ row: Int, _ column: Int) -> Int {
        row / tileCells * (columns / tileCells) + column / tileCells
    }

    private static func cellInTile(_ row: Int, _ column: Int) -> Int {
        row % tileCells * tileCells + column % tileCells
    }

    private static func row(_ y: Int) -> Int {
        min(rows - 1, max(0, (y + 90 * GridPoint.perDegree).dividedDown(by: side)))
    }

    private static func column(_ x: Int) -> Int {
        min(columns - 1, max(0, (x + 180 * GridPoint.perDegree).dividedDown(by: side)))
    }
}

extension BorderNetwork {
    /// The edges that each cell touches.
    private struct CellLists {
        var tiles = [Int32](repeating: -1, count: rows / tileCells * columns / tileCells)
        let starts: [Int32]
        let listed: [Int32]

        init(_ lines: BorderLines) {
            var pairs: [(cell: Int32, edge: Int32)] = []
            var cells: Int32 = 0
            for number in lines.edges {
                let edge = lines[number]
                for row in BorderNetwork.row(edge.south)...BorderNetwork.row(edge.north) {
                    // From one unit west of it: a path to the eastern side of that cell ends on the edge.
                    for column in BorderNetwork.column(edge.west - 1)...BorderNetwork.column(edge.east)
                    where Self.touches(edge, row, column) {
                        let tile = BorderNetwork.tile(row, column)
                        if tiles[tile] < 0 {
                            tiles[tile] = cells
                            cells += Int32(tileCells * tileCells)
                        }
                        let cell = tiles[tile] + Int32(BorderNetwork.cellInTile(row, column))
                        pairs.append((cell, number))
                    }
                }
            }
            var starts = [Int32](repeating: 0, count: Int(cells) + 1)
            for pair in pairs { starts[Int(pair.cell) + 1] += 1 }
            for cell in 0..<Int(cells) { starts[cell + 1] += starts[cell] }
            var next = starts
            var listed = [Int32](repeating: 0, count: pairs.count)
            for pair in pairs {
                listed[Int(next[Int(pair.cell)])] = pair.edge
                next[Int(pair.cell)] += 1
            }
            self.starts = starts
            self.listed = listed
        }

        private static func touches(_ edge: BorderEdge, _ row: Int, _ column: Int) -> Bool {
            let low = GridPoint(
                x: column * side - 180 * GridPoint.perDegree, y: row * side - 90 * GridPoint.perDegree)
            return edge.lineMeets(low, GridPoint(x: low.x + side, y: low.y + side))
        }
    }

    /// The different sets of areas, numbered.
    private struct KnownSets {
        private(set) var all: [AreaSet] = []
        private var numbers: [AreaSet: Int] = [:]
        private var last: (areas: AreaSet, number: Int)?

        mutating func number(of areas: AreaSet) -> Int {
            if let last, last.areas == areas { return last.number }
            let number = numbers[areas] ?? all.count
            if number == all.count {
                all.append(areas)
                numbers[areas] = number
            }
            last = (areas, number)
            return number
        }
    }
}
