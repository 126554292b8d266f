import Glibc

/// Areas under geodesics of WGS 84.
///
/// - Source: C. F. F. Karney, "Algorithms for geodesics", Journal of Geodesy 87 (2013), 43, section 6. The integral is
///   taken numerically instead of by its series.
enum GeodesicArea {
    /// The signed area between the shortest line and the equator in square metres: positive for a line to the west in
    /// the northern hemisphere, so that a counter-clockwise outline has a positive sum. Nil for nearly opposite places,
    /// where the shortest line is not found.
    static func toEquator(_ from: Coordinate, _ to: Coordinate) -> Double? {
        let turn = to.longitude - from.longitude
        guard turn != 0 else { return 0 }
        guard let line = Geodesic.line(from, to) else { return nil }
        let eastward = line.sphericalExcess * authalicSquared + correction(along: line)
        return turn > 0 ? -eastward : eastward
    }

    /// The difference between the area on the spheroid and that on the sphere of the same surface.
    private static func correction(along line: Geodesic.Line) -> Double {
        // Pieces of at most 0.2 radians are exact to the last digits with ten nodes.
        let pieces = max(1, (line.arc / 0.2).rounded(.up))
        let half = line.arc / pieces / 2
        var sum = 0.0
        for piece in 0..<Int(pieces) {
            let middle = line.start + (2 * Double(piece) + 1) * half
            for (node, weight) in zip(nodes, weights) {
                sum += weight * (excess(line, middle - node * half) + excess(line, middle + node * half))
            }
        }
        return sum * half
    }

    /// The integrand over the arc of the auxiliary sphere.
    private static func excess(_ line: Geodesic.Line, _ arc: Double) -> Double {
        let sine = line.cosineAtEquator * sin(arc)
        // Never 0, even where rounding makes the sine 1.
        let squaredCosine = pow(line.sineAtEquator, 2) + pow(line.cosineAtEquator * cos(arc), 2)
        guard squaredCosine > 0 else { return 0 }
        let stretch = (1 - eccentricitySquared * squaredCosine).squareRoot()
        let sineOfLatitude = sine / stretch
        return (toEquator(sineOfLatitude) * stretch - authalicSquared * sine) * line.sineAtEquator / squaredCosine
    }

    /// The area from the equator to a latitude, of a radian of longitude.
    private static func toEquator(_ sine: Double) -> Double {
        let b = Geodesic.polarRadius
        return b * b / 2 * (sine / (1 - eccentricitySquared * sine * sine) + atanh(eccentricity * sine) / eccentricity)
    }

    static let eccentricitySquared = Geodesic.flattening * (2 - Geodesic.flattening)
    static let eccentricity = eccentricitySquared.squareRoot()
    /// The square of the radius of the sphere of the same area.
    private static let authalicSquared = toEquator(1)

    /// Gauss-Legendre, ten nodes, of which these are the positive ones.
    private static let nodes = [
        0.14887433898163122, 0.4333953941292472, 0.6794095682990244, 0.8650633666889845, 0.9739065285171717,
    ]
    private static let weights = [
        0.29552422471475287, 0.26926671930999635, 0.21908636251598204, 0.1494513491505806, 0.06667134430868814,
    ]
}
