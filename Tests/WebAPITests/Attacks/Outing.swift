import Domain
import EventLog
import Foundation
import TestRandom

/// A place on a map so small that it is flat.
struct Spot: Hashable, Sendable {
    let latitude: Double
    let longitude: Double

    func kilometres(to other: Spot) -> Double {
        let (dy, dx) = (latitude - other.latitude, longitude - other.longitude)
        return 111.2 * (dy * dy + dx * dx * pow(cos(latitude * .pi / 180), 2)).squareRoot()
    }

    /// The centre of the cell of 0.1° that holds the place.
    var cell: Spot {
        Spot(latitude: (floor(latitude * 10) + 0.5) / 10, longitude: (floor(longitude * 10) + 0.5) / 10)
    }

    static func middle(of spots: [Spot]) -> Spot? {
        guard !spots.isEmpty else { return nil }
        let count = Double(spots.count)
        return Spot(
            latitude: spots.reduce(0) { $0 + $1.latitude } / count,
            longitude: spots.reduce(0) { $0 + $1.longitude } / count)
    }
}

/// A birder's walk of an hour: open sightings some hundred metres apart, now and then with a hidden animal between.
struct Outing: Sendable {
    /// The cells in which all outings are: 0.1° each.
    static let area = "bbox=-122.4,47.2,-122.2,47.4"

    let birder: Int
    let start: Instant
    let open: [Spot]
    let hidden: Spot?

    /// - Parameter hidden: how many of them have a hidden animal.
    static func random(_ count: Int, hidden: Int, birders: Int, seed: UInt64) -> [Outing] {
        var random = RandomSource(seed: seed)
        let start = Instant(microsecondsSince1970: 1_780_000_000_000_000)
        let interval = count / hidden
        return (0..<count).map { index in
            let first = Spot(
                latitude: 47.21 + random.double(in: 0...0.18), longitude: -122.39 + random.double(in: 0...0.18))
            func near(_ spot: Spot) -> Spot {
                Spot(
                    latitude: ((spot.latitude + random.double(in: -0.003...0.003)) * 1e5).rounded() / 1e5,
                    longitude: ((spot.longitude + random.double(in: -0.003...0.003)) * 1e5).rounded() / 1e5)
            }
            return Outing(
                birder: index % birders, start: start.adding(seconds: index * 7_200),
                open: [first, first, first].map(near), hidden: index % interval == interval / 2 ? near(first) : nil)
        }
    }

    /// The body of the batch that sends it: the hidden animal between the open sightings, minutes apart.
    /// - Parameter hiding: the name of the hidden animal, and more members of its sighting.
    func batch(hiding name: String, _ more: String) -> String {
        var sightings = open.map { ("Song Sparrow", "", $0) }
        if let hidden { sightings.insert((name, more, hidden), at: 1) }
        let items = sightings.enumerated().map { index, sighting in
            let time = start.adding(seconds: index * 300)
            return #"{"key":"\#(Self.key(at: time))","sighting":{"name":"\#(sighting.0)","count":1,"confidence":8,"#
                + #""observedAt":"\#(time.text())","latitude":\#(sighting.2.latitude),"#
                + #""longitude":\#(sighting.2.longitude)\#(sighting.1)}}"#
        }
        return #"{"items":[\#(items.joined(separator: ","))]}"#
    }

    /// A version 7 UUID, as apps make them: it begins with the millisecond.
    private static func key(at time: Instant) -> UUID {
        var bytes = UUID().bytes
        let milliseconds = withUnsafeBytes(of: (time.microsecondsSince1970 / 1_000).bigEndian) { Array($0) }
        bytes.replaceSubrange(0..<6, with: milliseconds[2...])
        bytes[6] = bytes[6] & 0x0f | 0x70
        return UUID(bytes: bytes)
    }
}
