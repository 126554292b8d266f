package import Domain

/// The records of a map, and its zoom.
package struct MapView: Hashable, Sendable {
    package var filter: RecordFilter
    /// The grid in which more than ``fewRecords`` are counted.
    package var grid: MapGrid
    /// The most records that are returned one by one.
    package var fewRecords: Int
    /// The most cells that are returned; if there would be more, the finest coarser grid that fits is used.
    package var fewCells: Int

    package init(
        _ filter: RecordFilter = RecordFilter(), grid: MapGrid, fewRecords: Int = 1_000, fewCells: Int = 5_000
    ) {
        self.filter = filter
        self.grid = grid
        self.fewRecords = fewRecords
        self.fewCells = max(fewCells, MapGrid(zoom: 0).columns * MapGrid(zoom: 0).rows)
    }
}

/// The records in a part of a map: one by one when they are few, else counted in cells. Every record is counted once,
/// so the total is the same at every zoom.
package enum MapAnswer: Hashable, Sendable {
    /// By id.
    case points([Point])
    /// By row from the south, then by column from the west; none is empty.
    case cells([Cell], MapGrid)

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
        /// How many there were, if it is a guarded record: then there is no count.
        package let countRange: CountRange?
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
        case .cells(let cells, _): cells.reduce(0) { $0 + $1.records }
        }
    }
}

/// The grid in which a map counts records at a zoom: square in degrees, each zoom's cells the quarters of the last
/// one's.
///
/// Cells hold their western and southern sides; the last ones hold the 180th meridian and the pole too. Sides are 360°
/// over a power of two, so nothing is rounded differently anywhere.
package struct MapGrid: Hashable, Sendable {
    /// Zooms as web maps count them, the whole Earth in one tile at 0.
    package static let zooms = 0...20

    /// One of ``zooms``.
    package let zoom: Int

    /// The grid of a zoom; one beyond the ends counts as the nearest.
    package init(zoom: Int) {
        self.zoom = min(max(zoom, Self.zooms.lowerBound), Self.zooms.upperBound)
    }

    /// How many cells there are around the Earth: sixteen to the width of a tile.
    package var columns: Int { 1 << (zoom + 4) }
    /// How many cells there are from pole to pole.
    package var rows: Int { columns / 2 }
    /// A side in degrees.
    package var side: Double { 360 / Double(columns) }

    /// The cell in a column and a row, counted from the south-western corner of the map.
    package func cell(column: Int, row: Int) -> BoundingBox {
        BoundingBox(
            uncheckedWest: Double(column) * side - 180, south: Double(row) * side - 90,
            east: Double(column + 1) * side - 180, north: Double(row + 1) * side - 90)
    }
}
