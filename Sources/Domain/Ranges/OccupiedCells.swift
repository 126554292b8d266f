/// A public record that counts for a range.
package struct RangeRecord: Hashable, Sendable {
    package let id: SightingID
    /// In whole millionths of a degree, as exports have it: their readers find the same figures to the last digit.
    package let place: Coordinate

    package init(id: SightingID, place: Coordinate) {
        self.id = id
        self.place = Coordinate(
            uncheckedLatitude: Self.rounded(place.latitude), longitude: Self.rounded(place.longitude))
    }

    /// Degrees in whole millionths.
    static func rounded(_ degrees: Double) -> Double { (degrees * 1e6).rounded() / 1e6 }
}

/// The cells in which a taxon was recorded, each once.
package struct OccupiedCells: Hashable, Sendable {
    /// The least number of cells for which a margin is computed.
    package static let fewest = 20
    /// How many cells make a margin.
    package static let ofMargin = 10

    /// From south to north, then from west to east.
    package let cells: [MarginCell]

    package init(_ cells: some Sequence<MarginCell>) {
        self.cells = Set(cells).sorted()
    }

    package init(of places: some Sequence<Coordinate>, side: CellSide) {
        self.init(places.map { MarginCell($0, side: side) })
    }

    /// The latitudes of the cells in degrees, ascending.
    package var latitudes: [Double] { cells.map(\.latitude) }

    /// The ten most extreme cells of an end by latitude, and from west to east within a row; fewer where there are
    /// fewer.
    package func margin(_ end: RangeEnd) -> [MarginCell] {
        guard end == .north else { return Array(cells.prefix(Self.ofMargin)) }
        let northernmost = cells.sorted { one, other in
            one.row == other.row ? one < other : one.row > other.row
        }
        return Array(northernmost.prefix(Self.ofMargin))
    }

    /// The mean of the latitudes of the ten most extreme cells.
    ///
    /// - Source: C. D. Thomas and J. J. Lennon, "Birds extend their ranges northwards", Nature 399 (1999), 213.
    package func meanOfTen(_ end: RangeEnd) -> Result<Double, MissingReason> {
        guard cells.count >= Self.fewest else { return .failure(cells.isEmpty ? .noRecords : .fewCells) }
        return .success(margin(end).reduce(0) { $0 + $1.latitude } / Double(Self.ofMargin))
    }
}
