import Glibc

/// A search for the point of a border that is nearest to a place, no farther than some metres.
///
/// Edges are compared in a flat map whose scale is that of the latitude half-way between place and edge (within 0.02 %
/// of the true distance at 50 km, up to 83° of latitude); the distance of the winner is then the geodesic's.
struct NearestPoint {
    /// A rectangle in millionths of a degree.
    typealias Box = (west: Int, south: Int, east: Int, north: Int)

    private let latitude: Double
    private let longitude: Double
    private let reachMetres: Double
    /// A rectangle that holds all within reach, in millionths of a degree; it may extend beyond the 180th meridian.
    private let window: Box

    init(to coordinate: Coordinate, withinMetres reach: Double) {
        latitude = coordinate.latitude
        longitude = coordinate.longitude
        reachMetres = reach
        window = Self.window(around: coordinate, metres: reach)
    }

    private static func window(around place: Coordinate, metres: Double) -> Box {
        // A degree of latitude is at least 110.5 km, one of longitude at least 111.3 km times the cosine of the
        // latitude.
        let north = metres / 110_500
        let cosine = cos((abs(place.latitude) + north) * .pi / 180)
        let isPolar = abs(place.latitude) + north >= 90
        let east = isPolar ? 180 : min(180, metres / (111_300 * max(cosine, 1e-9)))
        func millionths(_ degrees: Double) -> Int { Int((degrees * Double(GridPoint.perDegree)).rounded()) }
        return (
            west: millionths(place.longitude - east), south: millionths(place.latitude - north),
            east: millionths(place.longitude + east), north: millionths(place.latitude + north)
        )
    }

    /// The areas whose borders are within reach, with the geodesic distance in metres, in no order. Those farther away
    /// than the nearest one for which `isSought` holds may be missing.
    func areas(in network: BorderNetwork, nearestWhere isSought: (UInt8) -> Bool = { _ in false }) -> [Found] {
        let place = Coordinate(uncheckedLatitude: latitude, longitude: longitude)
        var found: [(area: UInt8, metres: Double, coordinate: Coordinate)] = []
        var closer = window
        var reach = reachMetres
        network.forEachEdge(in: window) { edge in
            guard Self.meet((edge.west, edge.south, edge.east, edge.north), closer) else { return }
            let point = nearest(on: edge)
            let metres = flatMetres(to: point)
            for area in [edge.sides.0, edge.sides.1] where area > 0 {
                if let known = found.firstIndex(where: { $0.area == area }) {
                    if metres < found[known].metres { found[known] = (area, metres, point) }
                } else {
                    found.append((area, metres, point))
                }
            }
            // From here on only nearer edges matter; 1 % is far more than the error of the flat map.
            if metres < reach, isSought(edge.sides.0) || isSought(edge.sides.1) {
                reach = metres
                closer = Self.window(around: place, metres: metres * 1.01 + 0.1)
            }
        }
        return found.compactMap { nearest in
            let metres = Geodesic.inverseMetres(place, nearest.coordinate) ?? .infinity
            return metres <= reachMetres ? Found(area: nearest.area, metres: metres) : nil
        }
    }

    /// An area within reach.
    struct Found {
        /// The area's number.
        let area: UInt8
        /// Metres to its border.
        let metres: Double
    }

    /// Whether two rectangles have a point in common on the round Earth.
    private static func meet(_ box: Box, _ window: Box) -> Bool {
        guard box.south <= window.north, box.north >= window.south else { return false }
        if box.west <= window.east, box.east >= window.west { return true }
        let half = 180 * GridPoint.perDegree
        guard window.west < -half || window.east > half else { return false }
        let round = 2 * half
        return (box.west - round <= window.east && box.east - round >= window.west)
            || (box.west + round <= window.east && box.east + round >= window.west)
    }

    /// The point of an edge that is nearest in the flat map, whose scale changes along the edge: by Gauss and Newton's
    /// steps, of which the first two are nearly always enough.
    private func nearest(on edge: BorderEdge) -> Coordinate {
        let degree = Double(GridPoint.perDegree)
        let y1 = Double(edge.y1) / degree - latitude
        let x1 = (Double(edge.x1) / degree - longitude).remainder(dividingBy: 360)
        let (xStep, yStep) = (Double(edge.x2 - edge.x1) / degree, Double(edge.y2 - edge.y1) / degree)
        var along = 0.0
        for _ in 0..<4 {
            let (x, y) = (x1 + along * xStep, y1 + along * yStep)
            let scale = Scale(atLatitude: latitude + y / 2)
            let (east, north) = (x * scale.eastMetres, y * scale.northMetres)
            let eastward = xStep * scale.eastMetres + x * scale.eastChange * yStep / 2
            let northward = yStep * scale.northMetres
            let length = eastward * eastward + northward * northward
            guard length > 0 else { break }
            let next = min(1, max(0, along - (east * eastward + north * northward) / length))
            let isSettled = abs(next - along) < 1e-9
            along = next
            if isSettled { break }
        }
        return Coordinate(
            uncheckedLatitude: latitude + y1 + along * yStep,
            longitude: (longitude + x1 + along * xStep).remainder(dividingBy: 360))
    }

    private func flatMetres(to point: Coordinate) -> Double {
        let scale = Scale(atLatitude: (latitude + point.latitude) / 2)
        let east = (point.longitude - longitude).remainder(dividingBy: 360) * scale.eastMetres
        let north = (point.latitude - latitude) * scale.northMetres
        return (east * east + north * north).squareRoot()
    }

    /// Metres in a degree at a latitude.
    private struct Scale {
        let eastMetres: Double
        let northMetres: Double
        /// How much `eastMetres` changes with a degree of latitude.
        let eastChange: Double

        init(atLatitude latitude: Double) {
            let radians = latitude * .pi / 180
            let sine = sin(radians)
            let squaredEccentricity = Geodesic.flattening * (2 - Geodesic.flattening)
            let w = 1 - squaredEccentricity * sine * sine
            let acrossMeridian = Geodesic.equatorialRadius / w.squareRoot()
            eastMetres = acrossMeridian * cos(radians) * .pi / 180
            eastChange = -acrossMeridian * sine * (.pi / 180) * (.pi / 180)
            northMetres = acrossMeridian * (1 - squaredEccentricity) / w * .pi / 180
        }
    }
}
