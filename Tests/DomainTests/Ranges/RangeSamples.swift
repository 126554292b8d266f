import TestRandom

@testable import Domain

/// Records for tests of ranges.
enum RangeSamples {
    /// *Hogna maderiana*, as the R package red prints it.
    static let hogna = [
        at(32.646768, -16.909478), at(32.75616, -17.054827), at(32.720295, -16.909728), at(32.679663, -16.850091),
        at(32.648493, -16.97528), at(32.726184, -17.050012), at(32.7584784, -16.9430733), at(32.755517, -17.072939),
        at(32.7573073, -17.1380168), at(32.8264965, -16.9102237),
    ]

    static func at(_ latitude: Double, _ longitude: Double) -> Coordinate {
        Coordinate(uncheckedLatitude: latitude, longitude: longitude)
    }

    static func year(_ year: Int) -> RangePeriod { .years(from: year, to: year) }

    /// Records with ids that ascend as their places are listed.
    static func records(_ places: [Coordinate], firstID: Int = 0) -> [RangeRecord] {
        places.enumerated().compactMap { index, place in
            id(firstID + index).map { RangeRecord(id: $0, place: place) }
        }
    }

    static func id(_ number: Int) -> SightingID? {
        let digits = String(number)
        return SightingID("00000000-0000-0000-0000-" + String(repeating: "0", count: 12 - digits.count) + digits)
    }

    /// Places a row of 10 km apart, from south to north.
    static func column(from latitude: Double, count: Int) -> [Coordinate] {
        (0..<count).map { at(latitude + 0.09 * Double($0), -100) }
    }

    static func random(_ count: Int, _ random: inout RandomSource) -> [RangeRecord] {
        let places = (0..<count).map { _ in
            at(.random(in: 30...50, using: &random), .random(in: -120 ... -80, using: &random))
        }
        return records(places)
    }

    /// Places that break formulas.
    static let odd = [
        at(.nan, .nan), at(.infinity, -.infinity), at(90, 0), at(-90, 180), at(0, 180), at(0, -180), at(1e300, 1e-300),
        at(-1e-170, 0), at(89.999999, -179.999999), at(12, .nan),
    ]
}

extension Result {
    var value: Success? { try? get() }

    var reason: Failure? {
        if case .failure(let reason) = self { reason } else { nil }
    }
}
