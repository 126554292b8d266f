/// A point on the map in whole millionths of a degree (0.11 m at most), so that comparing it with a border or a cell is
/// exact: degrees in binary fractions would put 0.7 + 0.1 below 0.8.
struct GridPoint: Hashable, Sendable {
    /// Millionths of a degree in one degree.
    static let perDegree = 1_000_000
    /// Millionths of a degree east of Greenwich, -180,000,000 to 180,000,000.
    let x: Int
    /// Millionths of a degree north of the equator, -90,000,000 to 90,000,000.
    let y: Int

    init(x: Int, y: Int) {
        self.x = x
        self.y = y
    }

    /// Rounds a coordinate to the nearest point, or nil when it is not on Earth.
    init?(_ coordinate: Coordinate) {
        guard abs(coordinate.latitude) <= 90, abs(coordinate.longitude) <= 180 else { return nil }
        self.init(x: Self.millionths(coordinate.longitude), y: Self.millionths(coordinate.latitude))
    }

    /// The point in degrees.
    var coordinate: Coordinate {
        let degree = Double(Self.perDegree)
        return Coordinate(uncheckedLatitude: Double(y) / degree, longitude: Double(x) / degree)
    }

    private static func millionths(_ degrees: Double) -> Int {
        Int((degrees * Double(perDegree)).rounded())
    }
}

extension Int {
    /// Division that rounds towards negative infinity, as cells of a grid are counted.
    func dividedDown(by divisor: Int) -> Int {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
