import Glibc

/// A search for the point of a border that is nearest to a place, no farther than some metres.
///
/// Edges are compared in a flat map whose scale is that of the latitude half-way between place and edge (within 0.02 %
/// of the true distance at 50 km, up to 83° of latitude); the distance of the winner is then the geodesic's.
struct NearestPoint {
    private let latitude: Double
    private let longitude: Double
    private let reachMetres: Double
    /// A rectangle that holds all within reach, in millionths of a degree; it may extend beyond the 180th meridian.
    private let window: AreaOutline.Box

    init(to coordinate: Coordinate, withinMetres reach: Double) {
        latitude = coordinate.latitude
        longitude = coordinate.longitude
        reachMetres = reach
        window = Self.window(around: coordinate, metres: reach)
    }

    private static func window(around place: Coordinate, metres: Double) -> AreaOutline.Box {
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

    /// The geodesic distance in metres to a border, nil when no point of it is within reach.
    func distance(to outline: AreaOutline) -> Double? {
        guard outline.boxes.contains(where: { Self.meet($0, window) }) else { return nil }
        let place = Coordinate(uncheckedLatitude: latitude, longitude: longitude)
        var best: (metres: Double, coordinate: Coordinate)?
        var closer = window
        outline.forEachEdge(fromY: window.south, toY: window.north) { edge in
            guard Self.meet((edge.west, edge.lowestY, edge.east, edge.highestY), closer) else { return }
            let point = nearest(on: edge)
            let metres = flatMetres(to: point)
            guard best.map({ metres < $0.metres }) ?? true else { return }
            best = (metres, point)
            // From here on only nearer edges matter; 1 % is far more than the error of the flat map.
            if metres < reachMetres { closer = Self.window(around: place, metres: metres * 1.01) }
        }
        guard let best, let metres = Geodesic.inverseMetres(place, best.coordinate) else { return nil }
        return metres <= reachMetres ? metres : nil
    }

    /// Whether two rectangles have a point in common on the round Earth.
    private static func meet(_ box: AreaOutline.Box, _ window: AreaOutline.Box) -> Bool {
        guard box.south <= window.north, box.north >= window.south else { return false }
        let round = 360 * GridPoint.perDegree
        return (box.west <= window.east && box.east >= window.west)
            || (box.west - round <= window.east && box.east - round >= window.west)
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

extension BorderEdge {
    fileprivate var west: Int { Int(min(x1, x2)) }
    fileprivate var east: Int { Int(max(x1, x2)) }
}
