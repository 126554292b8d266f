/// The areas at the south-western corners of cells.
struct CornerAreas: Sendable {
    /// As places in `sets`, by the numbers of the cells.
    private var corners: [UInt16]
    private let sets: [AreaSet]

    /// Goes along each row of cells from west to east, across every edge. In squares without borders, the cells get the
    /// place in `sets` of the areas that hold them.
    init(_ cells: inout BorderCells, _ lines: BorderLines) {
        corners = [UInt16](repeating: 0, count: cells.count)
        var sets = KnownSets()
        for row in 0..<BorderCells.rows {
            let y = BorderCells.y(row)
            var areas = AreaSet()
            var column = 0
            while column < BorderCells.columns {
                let cell = cells.number(row, column)
                guard cell >= 0 else {
                    cells.store(sets.number(of: areas), ofSquareAt: row, column)
                    column += BorderCells.tileCells
                    continue
                }
                let x = BorderCells.x(column)
                let edges = cells.edges(of: cell)
                // An area may begin at the 180th meridian itself.
                if column == 0 { areas.cross(edges, of: lines, fromX: x - 1, toX: x, y: y) }
                corners[cell] = UInt16(sets.number(of: areas))
                areas.cross(edges, of: lines, fromX: x, toX: x + BorderCells.side, y: y)
                column += 1
            }
        }
        self.sets = sets.all
    }

    /// The areas at the corner of a cell, or those that hold a square without borders.
    /// - Parameter number: as ``BorderCells/number(_:_:)`` gives it.
    func areas(at number: Int) -> AreaSet {
        sets[number < 0 ? ~number : Int(corners[number])]
    }
}

extension AreaSet {
    /// Moves east across those of some edges that are on the way.
    fileprivate mutating func cross(
        _ edges: ArraySlice<Int32>, of lines: BorderLines, fromX: Int, toX: Int, y: Int
    ) {
        for number in edges {
            let edge = lines[number]
            if edge.isCrossed(fromX: fromX, toX: toX, y: y) { cross(edge) }
        }
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
