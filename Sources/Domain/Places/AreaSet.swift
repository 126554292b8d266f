/// A set of areas by their numbers, 1 to 127. The sea, 0, is never a member.
struct AreaSet: Hashable, Sendable {
    /// The highest number of an area.
    static let most = 127
    private var bits: UInt128 = 0

    /// The lowest number; nil for the sea.
    var first: Int? { bits == 0 ? nil : bits.trailingZeroBitCount }

    /// Crosses an edge: from the area on one side into that on the other.
    mutating func cross(_ edge: BorderEdge) {
        bits ^= Self.bit(edge.sides.0) ^ Self.bit(edge.sides.1)
    }

    private static func bit(_ area: UInt8) -> UInt128 {
        area == 0 ? 0 : 1 << UInt128(area)
    }
}
