/// The edges of borders, sorted into cells of a tenth of a degree.
struct BorderCells: Sendable {
    /// The length of a cell's side in millionths of a degree: that of the coarsest cells to which places are
    /// generalised.
    static let side = 100_000
    static let columns = 3_600
    static let rows = 1_800
    /// Cells along the side of a square degree.
    static let tileCells = 10

    /// The first of the hundred cells of each square degree; for a square without borders, the complement of its value,
    /// which is below zero.
    private var tiles = [Int32](repeating: -1, count: Self.rows / Self.tileCells * Self.columns / Self.tileCells)
    /// Where the edges of a cell start in `listed`; one more than there are cells.
    private let starts: [Int32]
    private let listed: [Int32]

    init(_ lines: BorderLines) {
        var pairs: [(cell: Int32, edge: Int32)] = []
        var cells: Int32 = 0
        for number in lines.edges {
            let edge = lines[number]
            for row in Self.row(edge.south)...Self.row(edge.north) {
                // From one unit west of it: a path to the eastern side of that cell ends on the edge.
                for column in Self.column(edge.west - 1)...Self.column(edge.east)
                where Self.touches(edge, row, column) {
                    let tile = Self.tile(row, column)
                    if tiles[tile] < 0 {
                        tiles[tile] = cells
                        cells += Int32(Self.tileCells * Self.tileCells)
                    }
                    pairs.append((tiles[tile] + Int32(Self.cellInTile(row, column)), number))
                }
            }
        }
        (starts, listed) = Self.sorted(pairs, cells: Int(cells))
    }

    /// The edges of each cell, one cell after the other.
    private static func sorted(
        _ pairs: [(cell: Int32, edge: Int32)], cells: Int
    ) -> (starts: [Int32], listed: [Int32]) {
        var starts = [Int32](repeating: 0, count: cells + 1)
        for pair in pairs { starts[Int(pair.cell) + 1] += 1 }
        for cell in 0..<cells { starts[cell + 1] += starts[cell] }
        var next = starts
        var listed = [Int32](repeating: 0, count: pairs.count)
        for pair in pairs {
            listed[Int(next[Int(pair.cell)])] = pair.edge
            next[Int(pair.cell)] += 1
        }
        return (starts, listed)
    }

    private static func touches(_ edge: BorderEdge, _ row: Int, _ column: Int) -> Bool {
        let low = GridPoint(x: x(column), y: y(row))
        return edge.lineMeets(low, GridPoint(x: low.x + side, y: low.y + side))
    }
}

// MARK: - Look-ups

extension BorderCells {
    /// The number of cells in squares with borders.
    var count: Int { starts.count - 1 }

    /// The number of a cell; in a square without borders, the complement of the square's value, which is below zero.
    func number(_ row: Int, _ column: Int) -> Int {
        let tile = Int(tiles[Self.tile(row, column)])
        return tile < 0 ? tile : tile + Self.cellInTile(row, column)
    }

    /// Stores a number for a square without borders.
    mutating func store(_ number: Int, ofSquareAt row: Int, _ column: Int) {
        tiles[Self.tile(row, column)] = ~Int32(number)
    }

    /// The numbers of the edges of a cell.
    func edges(of cell: Int) -> ArraySlice<Int32> {
        listed[Int(starts[cell])..<Int(starts[cell + 1])]
    }

    private static func tile(_ row: Int, _ column: Int) -> Int {
        row / tileCells * (columns / tileCells) + column / tileCells
    }

    private static func cellInTile(_ row: Int, _ column: Int) -> Int {
        row % tileCells * tileCells + column % tileCells
    }
}

// MARK: - Rows and columns

extension BorderCells {
    static func row(_ y: Int) -> Int {
        min(rows - 1, max(0, (y + 90 * GridPoint.perDegree).dividedDown(by: side)))
    }

    static func column(_ x: Int) -> Int {
        min(columns - 1, max(0, (x + 180 * GridPoint.perDegree).dividedDown(by: side)))
    }

    /// The western side of a column.
    static func x(_ column: Int) -> Int { column * side - 180 * GridPoint.perDegree }

    /// The southern side of a row.
    static func y(_ row: Int) -> Int { row * side - 90 * GridPoint.perDegree }
}
