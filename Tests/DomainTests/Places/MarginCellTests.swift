import Foundation
import Testing

@testable import Domain

struct MarginCellTests {
    /// The arc by numerical integration of the radius of curvature.
    private func integrated(_ degrees: Double) -> Double {
        let flattening = 1 / 298.257223563
        let eccentricity = flattening * (2 - flattening)
        let steps = 20_000
        let step = degrees * .pi / 180 / Double(steps)
        return (0..<steps).reduce(0) { sum, index in
            let sine = sin((Double(index) + 0.5) * step)
            return sum + (1 - eccentricity) * 6_378_137 / pow(1 - eccentricity * sine * sine, 1.5) * step
        }
    }

    @Test(arguments: [-71.3, -0.5, 12.0, 45.0, 60.25, 90.0])
    func `the arc is the integral of the curvature`(_ degrees: Double) {
        #expect(abs(MeridianArc.metres(to: degrees) - integrated(degrees)) < 0.001)
    }

    @Test func `cells have ten kilometres each way`() throws {
        let equator = MarginCell(try Coordinate(latitude: 0, longitude: -180))
        #expect(equator.row == 0 && equator.column == 0)
        #expect(MarginCell(try Coordinate(latitude: -0.0001, longitude: 0)).row == -1)
        // Half the equator, and the quarter of a meridian, in cells.
        #expect(MarginCell(try Coordinate(latitude: 0, longitude: 0.0001)).column == 2003)
        #expect(MarginCell(try Coordinate(latitude: 90, longitude: 0)).row == 1000)
        #expect(MarginCell(try Coordinate(latitude: 60, longitude: 0)).column == 1004)
    }
}
