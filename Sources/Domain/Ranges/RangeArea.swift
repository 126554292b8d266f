/// The area of the convex hull of places: the hull of a region's records, and the extent of occurrence of a taxon.
///
/// The hull is that of the plane of longitude and latitude, cut at the widest gap without places; its edges are
/// geodesics, and its area is that on WGS 84.
///
/// - Source: IUCN, "Red List Categories and Criteria", version 3.1; the R package red has the same hull and area.
package enum RangeArea {
    /// Square kilometres.
    package static func km2(of places: some Sequence<Coordinate>) -> Result<Double, MissingReason> {
        let points = Set(places.compactMap { PlanePoint(tenMillionthsOf: $0) }).sorted()
        guard !points.isEmpty else { return .failure(.noRecords) }
        let unwrapped = cut(points)
        let east = unwrapped.map(\.x)
        guard let first = east.min(), let last = east.max(), last - first <= PlanePoint.halfTurn else {
            return .failure(.tooWide)
        }
        let corners = ConvexHull(of: unwrapped).corners
        guard corners.count > 2 else { return .failure(.fewPoints) }
        var squareMetres = 0.0
        for (from, to) in zip(corners, corners.dropFirst() + corners.prefix(1)) {
            guard let below = GeodesicArea.toEquator(from.coordinate, to.coordinate) else { return .failure(.tooWide) }
            squareMetres += below
        }
        return .success(abs(squareMetres) / 1e6)
    }

    /// Moves the points west of the widest gap by a full turn to the east, so that no edge crosses the gap. The
    /// westernmost gap counts where several have the same width.
    private static func cut(_ points: [PlanePoint]) -> [PlanePoint] {
        let east = Set(points.map { $0.x == PlanePoint.halfTurn ? -PlanePoint.halfTurn : $0.x }).sorted()
        guard let first = east.first, let last = east.last else { return points }
        // The gap over the 180th meridian needs no cut.
        var widest = (width: first + 2 * PlanePoint.halfTurn - last, start: first)
        for (from, to) in zip(east, east.dropFirst()) where to - from > widest.width {
            widest = (to - from, to)
        }
        return points.map { point in
            let x = point.x == PlanePoint.halfTurn ? -PlanePoint.halfTurn : point.x
            return PlanePoint(x: x < widest.start ? x + 2 * PlanePoint.halfTurn : x, y: point.y)
        }
    }
}

extension PlanePoint {
    /// 180 degrees in ten-millionths, a centimetre each.
    static let halfTurn = 1_800_000_000

    /// A place in ten-millionths of a degree, or nil when it is not on Earth.
    init?(tenMillionthsOf place: Coordinate) {
        guard abs(place.latitude) <= 90, abs(place.longitude) <= 180 else { return nil }
        self.init(x: Int((place.longitude * 1e7).rounded()), y: Int((place.latitude * 1e7).rounded()))
    }

    var coordinate: Coordinate {
        Coordinate(uncheckedLatitude: Double(y) / 1e7, longitude: Double(x) / 1e7)
    }
}
