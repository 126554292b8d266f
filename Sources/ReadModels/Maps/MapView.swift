package import Domain

/// The part of a map to return, with its dates and zoom.
package struct MapView: Hashable, Sendable {
    package var box: BoundingBox
    /// Only records whose whole interval lies on or after this local date.
    package var from: CivilDate?
    /// Only records whose whole interval lies on or before this local date.
    package var to: CivilDate?
    /// The grid in which more than ``fewRecords`` are counted.
    package var grid: MapGrid
    /// The most records that are returned one by one.
    package var fewRecords: Int

    package init(
        box: BoundingBox = .world, from: CivilDate? = nil, to: CivilDate? = nil, grid: MapGrid, fewRecords: Int = 1_000
    ) {
        self.box = box
        self.from = from
        self.to = to
        self.grid = grid
        self.fewRecords = fewRecords
    }
}

/// The records in a part of a map: one by one when they are few, else counted in cells. Every record is counted once,
/// so the total is the same at every zoom.
package enum MapAnswer: Hashable, Sendable {
    /// By id.
    case points([Point])
    /// By row from the south, then by column from the west; none is empty.
    case cells([Cell])

    /// A record.
    package struct Point: Hashable, Sendable {
        package let id: SightingID
        /// The place, or the centre of its cell where it is generalised.
        package let coordinate: Coordinate
        /// The decimals of the generalised place's cell; nil for an exact place.
        package let decimals: Int?
        /// Metres.
        package let uncertainty: Double?
        package let status: SightingStatus
        /// The taxon; nil for unidentified.
        package let taxon: TaxonID?
        /// How many there were; nil for present, not counted.
        package let count: Int?
        /// When it was observed, as precisely as may be public.
        package let observed: ObservationTime?
    }

    /// Records counted together.
    package struct Cell: Hashable, Sendable {
        /// The sides of the cell.
        package let box: BoundingBox
        /// How many records lie in the cell.
        package let records: Int
        /// Those of them that are not reviewed.
        package let pending: Int
    }

    /// How many records there are.
    package var records: Int {
        switch self {
        case .points(let points): points.count
        case .cells(let cells): cells.reduce(0) { $0 + $1.records }
        }
    }
}
