/// A part of the map in WGS 84 degrees. It holds all four of its sides.
package struct BoundingBox: Hashable, Sendable {
    /// -180 to 180.
    package let west: Double
    /// -90 to 90.
    package let south: Double
    /// -180 to 180; less than ``west`` where the box lies across the 180th meridian.
    package let east: Double
    /// -90 to 90.
    package let north: Double

    /// The whole Earth.
    package static let world = BoundingBox(uncheckedWest: -180, south: -90, east: 180, north: 90)

    init(uncheckedWest west: Double, south: Double, east: Double, north: Double) {
        self.west = west
        self.south = south
        self.east = east
        self.north = north
    }

    /// Checks a box; nil when a side is not on Earth, or north is below south.
    package init?(west: Double, south: Double, east: Double, north: Double) {
        guard (-180...180).contains(west), (-180...180).contains(east), (-90...90).contains(south),
            (-90...90).contains(north), south <= north
        else { return nil }
        self.init(uncheckedWest: west, south: south, east: east, north: north)
    }
}
