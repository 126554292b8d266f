package import Domain

/// A part of the Earth between two meridians and two parallels, in WGS 84 degrees.
///
/// West is greater than east where it crosses the 180° meridian.
/// - Source: RFC 7946 section 5.
package struct BoundingBox: Hashable, Sendable {
    /// The western meridian.
    package let west: Double
    /// The southern parallel.
    package let south: Double
    /// The eastern meridian.
    package let east: Double
    /// The northern parallel.
    package let north: Double

    /// Reads `west,south,east,north`.
    /// - Throws: `RuleViolation` naming the form or the bounds.
    package init(_ text: String) throws(RuleViolation) {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Self.number($0) }
        guard numbers.count == 4, let west = numbers[0], let south = numbers[1], let east = numbers[2],
            let north = numbers[3]
        else { throw RuleViolation(.format, "must be west,south,east,north in decimal degrees") }
        guard (-180...180).contains(west), (-180...180).contains(east) else {
            throw RuleViolation(.range, "must have meridians from -180 to 180")
        }
        guard (-90...90).contains(south), (-90...90).contains(north), south <= north else {
            throw RuleViolation(.range, "must have parallels from -90 to 90, the southern one first")
        }
        (self.west, self.south, self.east, self.north) = (west, south, east, north)
    }

    /// Only digits, a sign and a point: `Double` alone would also take "nan", "0x1p4" and "infinity".
    private static func number(_ text: Substring) -> Double? {
        guard (1...24).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2E })
        else { return nil }
        return Double(text)
    }
}
