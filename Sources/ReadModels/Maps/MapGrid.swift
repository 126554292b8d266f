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
