/// A part of the map in WGS 84 degrees. It holds all four of its sides.
/// - Source: RFC 7946 section 5.
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

    /// Wraps sides that come from a computation.
    package init(uncheckedWest west: Double, south: Double, east: Double, north: Double) {
        self.west = west
        self.south = south
        self.east = east
        self.north = north
    }

    /// - Throws: `RuleViolation` when a side is not on Earth, or north is below south.
    package init(west: Double, south: Double, east: Double, north: Double) throws(RuleViolation) {
        guard (-180...180).contains(west), (-180...180).contains(east) else {
            throw RuleViolation(.range, "must have longitudes from -180 to 180")
        }
        guard (-90...90).contains(south), (-90...90).contains(north), south <= north else {
            throw RuleViolation(.range, "must have latitudes from -90 to 90, south before north")
        }
        self.init(uncheckedWest: west, south: south, east: east, north: north)
    }

    /// Reads `west,south,east,north`.
    /// - Throws: `RuleViolation` naming the form or the bounds.
    package init(_ text: String) throws(RuleViolation) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let sides = parts.compactMap { Double(plain: $0) }
        guard parts.count == 4, sides.count == 4 else {
            throw RuleViolation(.format, "must be west,south,east,north in decimal degrees")
        }
        try self.init(west: sides[0], south: sides[1], east: sides[2], north: sides[3])
    }
}

extension Double {
    /// Reads digits with a sign and a point: `init(_:)` alone would also take "nan", "0x1p4" and "infinity".
    package init?(plain text: some StringProtocol) {
        guard (1...24).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2E }), let number = Double(text)
        else { return nil }
        self = number
    }
}
