import Glibc

/// Distances along the shortest line on the WGS 84 spheroid.
///
/// - Source: T. Vincenty, "Direct and inverse solutions of geodesics on the ellipsoid with application of nested
///   equations", Survey Review 23 (1975).
enum Geodesic {
    /// The equatorial radius in metres.
    static let equatorialRadius = 6_378_137.0
    /// The flattening.
    static let flattening = 1 / 298.257223563
    /// The polar radius in metres.
    static let polarRadius = equatorialRadius * (1 - flattening)

    /// The length of the shortest line between two places, in metres, to within a millimetre; nil for nearly opposite
    /// ones, some 20,000 km apart, where Vincenty's iteration does not settle.
    static func inverseMetres(_ from: Coordinate, _ to: Coordinate) -> Double? {
        from == to ? 0 : InverseProblem(from, to).solved()?.arc.metres
    }

    /// The shortest line on the auxiliary sphere, as if `to` lay to the east; nil for nearly opposite places.
    static func line(_ from: Coordinate, _ to: Coordinate) -> Line? {
        let problem = InverseProblem(from, to)
        return problem.solved().map { problem.line($0.arc, longitudes: $0.longitudes) }
    }

    /// A line on the auxiliary sphere; all angles are in radians.
    struct Line: Hashable, Sendable {
        /// The arc from where the line's great circle crosses the equator northwards to its first point.
        let start: Double
        /// The arc from the first point to the second.
        let arc: Double
        /// The sine and the cosine of the azimuth where the great circle crosses the equator.
        let sineAtEquator: Double, cosineAtEquator: Double
        /// The area between the line and the equator on a sphere of radius 1.
        let sphericalExcess: Double
    }
}

/// Two places on the auxiliary sphere.
private struct InverseProblem {
    /// Sines and cosines of the reduced latitudes.
    let sine1: Double, cosine1: Double, sine2: Double, cosine2: Double
    /// The difference of longitudes in radians, 0 to π.
    let longitudes: Double

    init(_ from: Coordinate, _ to: Coordinate) {
        let reduced1 = Self.reducedLatitude(from.latitude)
        let reduced2 = Self.reducedLatitude(to.latitude)
        (sine1, cosine1) = (sin(reduced1), cos(reduced1))
        (sine2, cosine2) = (sin(reduced2), cos(reduced2))
        longitudes = abs((to.longitude - from.longitude).remainder(dividingBy: 360)) * .pi / 180
    }

    private static func reducedLatitude(_ degrees: Double) -> Double {
        atan((1 - Geodesic.flattening) * tan(degrees * .pi / 180))
    }

    /// Vincenty's iteration, or nil when it does not settle: the arc, and the difference of longitudes on the sphere.
    func solved() -> (arc: GreatCircleArc, longitudes: Double)? {
        var onSphere = longitudes
        for _ in 0..<100 {
            let line = line(longitudes: onSphere)
            guard line.sineOfArc != 0 else { return (line, onSphere) }
            let next = longitudes + line.lagOnSphere
            guard next <= .pi else { return nil }
            guard abs(next - onSphere) > 1e-13 else { return (line, next) }
            onSphere = next
        }
        return nil
    }

    func line(_ arc: GreatCircleArc, longitudes: Double) -> Geodesic.Line {
        let north = cosine1 * sine2 - sine1 * cosine2 * cos(longitudes)
        let east = cosine2 * sin(longitudes)
        // The azimuth at the first point; eastwards for a line of length 0.
        let (sine, cosine) = arc.sineOfArc == 0 ? (1, 0) : (east / arc.sineOfArc, north / arc.sineOfArc)
        let (reduced1, reduced2) = (atan2(sine1, cosine1), atan2(sine2, cosine2))
        return Geodesic.Line(
            start: atan2(sine1, cosine * cosine1), arc: arc.arc, sineAtEquator: sine * cosine1,
            cosineAtEquator: (cosine * cosine + sine * sine * sine1 * sine1).squareRoot(),
            sphericalExcess: 2
                * atan2(
                    sin((reduced2 + reduced1) / 2) * sin(longitudes / 2),
                    cos((reduced2 - reduced1) / 2) * cos(longitudes / 2)))
    }

    private func line(longitudes: Double) -> GreatCircleArc {
        let (sine, cosine) = (sin(longitudes), cos(longitudes))
        let across = cosine2 * sine
        let along = cosine1 * sine2 - sine1 * cosine2 * cosine
        let sineOfArc = (across * across + along * along).squareRoot()
        let cosineOfArc = sine1 * sine2 + cosine1 * cosine2 * cosine
        let sineOfAzimuth = sineOfArc == 0 ? 0 : cosine1 * cosine2 * sine / sineOfArc
        let squaredCosine = 1 - sineOfAzimuth * sineOfAzimuth
        // On the equator there is no vertex and the term vanishes.
        let middle = squaredCosine < 1e-15 ? 0 : cosineOfArc - 2 * sine1 * sine2 / squaredCosine
        return GreatCircleArc(
            arc: atan2(sineOfArc, cosineOfArc), sineOfArc: sineOfArc, cosineOfArc: cosineOfArc,
            cosineOfTwiceMiddle: middle, sineAtEquator: sineOfAzimuth)
    }
}

/// An arc of a great circle of the auxiliary sphere, and what it is on the spheroid.
private struct GreatCircleArc {
    let arc: Double
    let sineOfArc: Double
    let cosineOfArc: Double
    let cosineOfTwiceMiddle: Double
    /// The sine of the azimuth where the circle crosses the equator.
    let sineAtEquator: Double

    private var squaredCosine: Double { 1 - sineAtEquator * sineAtEquator }
    private var twistedMiddle: Double { -1 + 2 * cosineOfTwiceMiddle * cosineOfTwiceMiddle }

    /// How much longer the arc's difference of longitudes is on the sphere than on the spheroid, in radians.
    var lagOnSphere: Double {
        let f = Geodesic.flattening
        let c = f / 16 * squaredCosine * (4 + f * (4 - 3 * squaredCosine))
        let inner = cosineOfTwiceMiddle + c * cosineOfArc * twistedMiddle
        return (1 - c) * f * sineAtEquator * (arc + c * sineOfArc * inner)
    }

    /// The length of the line on the spheroid in metres.
    var metres: Double {
        let (a, b) = (Geodesic.equatorialRadius, Geodesic.polarRadius)
        let u = squaredCosine * (a * a - b * b) / (b * b)
        let stretch = 1 + u / 16384 * (4096 + u * (-768 + u * (320 - 175 * u)))
        let bend = u / 1024 * (256 + u * (-128 + u * (74 - 47 * u)))
        let third =
            bend / 6 * cosineOfTwiceMiddle * (-3 + 4 * sineOfArc * sineOfArc)
            * (-3 + 4 * cosineOfTwiceMiddle * cosineOfTwiceMiddle)
        let less = bend * sineOfArc * (cosineOfTwiceMiddle + bend / 4 * (cosineOfArc * twistedMiddle - third))
        return b * stretch * (arc - less)
    }
}
