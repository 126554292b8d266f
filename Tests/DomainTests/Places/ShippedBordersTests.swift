import Foundation
import TestRandom
import Testing

@testable import Domain

/// The shipped borders on both of their sides.
struct ShippedBordersTests {
    private static let shipped = Result { (try ShippedPlaces.index(), try ShippedPlaces.borders()) }

    @Test func `points on both sides of every border between states lie in its states`() throws {
        let (index, borders) = try Self.shipped.get()
        var random = RandomSource(seed: 21)
        var pairs: [String: [AreaBorder]] = [:]
        for border in borders {
            guard let left = border.left, let right = border.right else { continue }
            pairs[[left, right].sorted().joined(separator: " "), default: []].append(border)
        }
        #expect(pairs.count > 120)
        for (name, pieces) in pairs.sorted(by: { $0.key < $1.key }) {
            let edges = pieces.flatMap { piece in zip(piece.line, piece.line.dropFirst()).map { (piece, $0, $1) } }
            let lengths = edges.reduce(into: [0.0]) { $0.append($0[$0.count - 1] + geodesicMetres($1.1, $1.2)) }
            let total = try #require(lengths.last)
            var (right, wrong, number) = (0, 0, 0)
            for at in (0..<1_000).map({ _ in Double.random(in: 0..<total, using: &random) }).sorted() {
                while lengths[number + 1] < at { number += 1 }
                let (border, from, to) = edges[number]
                let part = Double.random(in: 0...1, using: &random)
                for (side, code) in [(1.0, border.left), (-1.0, border.right)] {
                    let beside = Self.beside(from, to, part: part, metres: side * 300)
                    let place = index.locate(beside)
                    let isIt = place.state?.text == code || (place.state == nil && Self.abroad.contains(code ?? ""))
                    if isIt { right += 1 } else { wrong += 1 }
                    if isIt, place.basis == .border {
                        // Another bend of the border, or a third state, is near.
                        #expect(place.borderState != place.state)
                    }
                }
            }
            // A border that winds is crossed again within 300 m, so that some of the points lie in the other state.
            #expect(wrong * 3 < right || Self.slivers.contains(name), "\(name): \(wrong) of \(right + wrong)")
        }
    }

    /// Where the chart has a gap between two states, narrower than 300 m, it went to the first one named here, which
    /// meets them at its end: Alabama has a sliver between Georgia and Tennessee that reaches North Carolina.
    private static let slivers: Set = [
        "US-AL US-NC", "US-AR US-KS", "US-NE US-WY", "US-NM US-OK", "US-NM US-UT",
    ]

    private static let abroad: Set<String> = ["MX", "GL", "PM", "RU", "VG", "VI"]

    /// A point left of an edge, some metres away.
    private static func beside(_ from: Coordinate, _ to: Coordinate, part: Double, metres: Double) -> Coordinate {
        let scale = cos(from.latitude * .pi / 180)
        let (east, north) = ((to.longitude - from.longitude) * scale, to.latitude - from.latitude)
        let length = (east * east + north * north).squareRoot()
        let degrees = metres / 111_320
        return Coordinate(
            uncheckedLatitude: from.latitude + part * north + degrees * east / length,
            longitude: from.longitude + part * (to.longitude - from.longitude) - degrees * north / length / scale)
    }

    @Test func `every cell's area agrees with a way round the Earth`() throws {
        let (index, borders) = try Self.shipped.get()
        var random = RandomSource(seed: 22)
        let edges = borders.flatMap { border in
            zip(border.line, border.line.dropFirst()).map { (border, $0, $1) }
        }
        for _ in 0..<40 {
            let somewhere = place(.random(in: 25...72, using: &random), .random(in: -170...(-53), using: &random))
            var crossed: Set<String> = []
            for (border, from, to) in edges {
                guard (from.latitude <= somewhere.latitude) != (to.latitude <= somewhere.latitude) else { continue }
                let part = (somewhere.latitude - from.latitude) / (to.latitude - from.latitude)
                guard from.longitude + part * (to.longitude - from.longitude) > somewhere.longitude else { continue }
                for code in [border.left, border.right].compactMap({ $0 }) { crossed.formSymmetricDifference([code]) }
            }
            let found = index.locate(somewhere)
            #expect(crossed.count <= 1)
            if let code = crossed.first, !Self.abroad.contains(code) { #expect(found.state?.text == code) }
            if crossed.isEmpty { #expect(found.basis != .inside) }
        }
    }
}
