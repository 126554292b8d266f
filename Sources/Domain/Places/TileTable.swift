/// Which outlines have a part in each square degree, so that a point is compared with two or three of them.
struct TileTable: Sendable {
    private static let columns = 360
    private static let rows = 180
    /// Where each tile's outlines start in `outlines`; one more than there are tiles.
    private let starts: [Int32]
    private let outlines: [Int32]

    /// Sorts outlines into tiles.
    init(_ areas: [AreaOutline]) {
        var tiles = [[Int32]](repeating: [], count: Self.columns * Self.rows)
        for (number, area) in areas.enumerated() {
            for box in area.boxes {
                for row in Self.row(box.south)...Self.row(box.north) {
                    for column in Self.column(box.west)...Self.column(box.east) {
                        let tile = row * Self.columns + column
                        if tiles[tile].last != Int32(number) { tiles[tile].append(Int32(number)) }
                    }
                }
            }
        }
        outlines = tiles.flatMap { $0 }
        starts = tiles.reduce(into: [0]) { $0.append($0[$0.count - 1] + Int32($1.count)) }
    }

    /// The numbers of the outlines that have a part in the tile of a point, ascending.
    func candidates(at point: GridPoint) -> ArraySlice<Int32> {
        let tile = Self.row(point.y) * Self.columns + Self.column(point.x)
        return outlines[Int(starts[tile])..<Int(starts[tile + 1])]
    }

    private static func row(_ y: Int) -> Int {
        min(rows - 1, max(0, y.dividedDown(by: GridPoint.perDegree) + rows / 2))
    }

    private static func column(_ x: Int) -> Int {
        min(columns - 1, max(0, x.dividedDown(by: GridPoint.perDegree) + columns / 2))
    }
}
