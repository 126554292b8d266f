import TestRandom
import Testing

@testable import Domain

struct GeodesicTests {
    /// Distances by GeographicLib (Karney's method), which is exact to nanometres.
    static let known: [(Double, Double, Double, Double, Double)] = [
        (0, 0, 0, 1, 111_319.4908),
        (0, 0, 1, 0, 110_574.3886),
        (40.6413, -73.7781, 51.47, -0.4543, 5_554_908.7905),
        (-33.9461, 151.1772, 50.0333, 8.5706, 16_492_338.3995),
        (52.9, 172.91, 51.9, -177.0, 695_121.6378),
        (38.933, -74.96, 38.941, -74.97, 1_241.1651),
        (18.05, -65.95, 18.0, -66.0, 7_658.8043),
        (83, -60, 83, 120, 1_563_637.3028),
        (89.9, 10, 89.9, -170, 22_338.7957),
        (90, 0, -90, 0, 20_003_931.4586),
        (0, 0, 0, 179, 19_926_188.8520),
    ]

    @Test(arguments: known)
    func `agrees with geographic lib`(_ case: (Double, Double, Double, Double, Double)) {
        let (a, b) = (place(`case`.0, `case`.1), place(`case`.2, `case`.3))
        #expect(abs(geodesicMetres(a, b) - `case`.4) < 0.001)
        #expect(abs(geodesicMetres(b, a) - `case`.4) < 0.001)
    }

    @Test func `nearly opposite places have no distance`() {
        #expect(Geodesic.inverseMetres(place(0, 0), place(0.5, 179.7)) == nil)
        #expect(Geodesic.inverseMetres(place(0, 0), place(0, 180)) == nil)
    }

    @Test func `a place is at no distance from itself`() {
        #expect(Geodesic.inverseMetres(place(47.6, -122.3), place(47.6, -122.3)) == 0)
        #expect(Geodesic.inverseMetres(place(10, 180), place(10, -180)) == 0)
    }

    @Test func `anywhere is within half a meridian and keeps the triangle inequality`() {
        var random = RandomSource(seed: 7)
        for _ in 0..<2_000 {
            let (a, b, c) = (random.somewhere(), random.somewhere(), random.somewhere())
            guard let ab = Geodesic.inverseMetres(a, b), let bc = Geodesic.inverseMetres(b, c),
                let ac = Geodesic.inverseMetres(a, c)
            else { continue }
            #expect(ab >= 0 && ab <= 20_003_931.5)
            #expect(ac <= ab + bc + 0.001)
        }
    }

    @Test func `what is not on earth does not trap`() {
        for strange in [Double.nan, .infinity, 1e300, -400] {
            _ = Geodesic.inverseMetres(place(strange, strange), place(1, 2))
        }
    }
}

/// For places that are not nearly opposite.
func geodesicMetres(_ from: Coordinate, _ to: Coordinate) -> Double {
    Geodesic.inverseMetres(from, to) ?? .nan
}

func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(uncheckedLatitude: latitude, longitude: longitude)
}

extension RandomSource {
    mutating func somewhere() -> Coordinate {
        Coordinate(
            uncheckedLatitude: .random(in: -90...90, using: &self), longitude: .random(in: -180...180, using: &self))
    }
}
