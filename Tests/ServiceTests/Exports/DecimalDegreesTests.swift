import Domain
import TestRandom
import Testing

@testable import Service

struct DecimalDegreesTests {
    private func text(_ degrees: Double, _ decimals: Int) -> String {
        var bytes: [UInt8] = []
        DecimalDegrees.append(degrees, decimals: decimals, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: [
        (47.6577, 6, "47.6577"), (-122.4056, 5, "-122.4056"), (58.245456, 5, "58.24546"), (58.245456, 6, "58.245456"),
        (0, 6, "0"), (-0.0000001, 6, "0"), (-0.000001, 6, "-0.000001"), (180, 5, "180"), (-90, 5, "-90"),
        (0.5, 0, "1"), (12.000004, 5, "12"), (45.05, 6, "45.05"), (.nan, 6, ""), (.infinity, 6, ""), (1e300, 6, ""),
    ])
    func `degrees have so many decimals at most, and no zeros at their end`(
        _ degrees: Double, _ decimals: Int, _ expected: String
    ) {
        #expect(text(degrees, decimals) == expected)
    }

    @Test(arguments: RandomSource.seeds(50))
    func `the centre of a cell has the decimals of the cell and one more`(_ seed: UInt64) {
        var random = RandomSource(seed: seed)
        for decimals in GridCell.allDecimals {
            let place = Coordinate(
                uncheckedLatitude: random.double(in: -90...90), longitude: random.double(in: -180...180))
            let centre = GridCell(containing: place, decimals: decimals).centre
            for degrees in [centre.latitude, centre.longitude] {
                let text = text(degrees, 5)
                #expect(text.split(separator: ".").last?.count == decimals + 1 && Double(text) == degrees, "\(text)")
            }
        }
    }
}
