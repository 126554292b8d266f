/// A cell of 0.1°, 0.01° or 0.001° of the grid that places are generalised to.
///
/// Cells hold their southern and western sides; the last ones hold the pole and the 180th meridian too. A finer cell
/// lies within the coarser one around it.
package struct GridCell: Hashable, Sendable {
    /// The decimals of a cell's degrees.
    package static let allDecimals = 1...3
    /// How many decimals of a degree a side of the cell has: 1, 2 or 3.
    package let decimals: Int
    /// The corner that is least east and least north.
    let southWest: GridPoint
    /// The length of a side in millionths of a degree.
    let side: Int

    /// Finds the cell around a place. A place that is not on Earth counts as the nearest one that is.
    /// - Precondition: `decimals` is 1, 2 or 3.
    package init(containing coordinate: Coordinate, decimals: Int) {
        let latitude = min(max(-90, coordinate.latitude), 90)
        let longitude = min(max(-180, coordinate.longitude), 180)
        let onEarth = Coordinate(uncheckedLatitude: latitude, longitude: longitude)
        self.init(containing: GridPoint(onEarth) ?? GridPoint(x: 0, y: 0), decimals: decimals)
    }

    init(containing point: GridPoint, decimals: Int) {
        precondition(Self.allDecimals.contains(decimals), "cells have sides of 0.1°, 0.01° or 0.001°")
        let side = Self.sides[decimals - 1]
        func start(_ value: Int, most: Int) -> Int {
            min(value, most * GridPoint.perDegree - 1).dividedDown(by: side) * side
        }
        self.decimals = decimals
        self.side = side
        self.southWest = GridPoint(x: start(point.x, most: 180), y: start(point.y, most: 90))
    }

    private static let sides = [100_000, 10_000, 1_000]

    /// The middle of the cell: what is shown instead of a place in it.
    package var centre: Coordinate { centrePoint.coordinate }

    /// The corners, from the south-western one anticlockwise.
    package var corners: [Coordinate] {
        [(0, 0), (side, 0), (side, side), (0, side)].map { offset in
            GridPoint(x: southWest.x + offset.0, y: southWest.y + offset.1).coordinate
        }
    }

    /// The radius of the circle around the centre that holds the whole cell: whole metres, rounded up.
    package var uncertaintyMetres: Double {
        corners.compactMap { Geodesic.inverseMetres(centre, $0) }.reduce(0, max).rounded(.up)
    }

    var centrePoint: GridPoint { GridPoint(x: southWest.x + side / 2, y: southWest.y + side / 2) }
    var northEast: GridPoint { GridPoint(x: southWest.x + side, y: southWest.y + side) }
}

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
