import TestRandom
import Testing

@testable import Domain

struct AreaOutlineTests {
    /// A square from 10 to 11 degrees, both ways, with a hole from 10.4 to 10.6.
    private let squareWithHole = AreaOutline([[square(10, 10, side: 1), square(10.4, 10.4, side: 0.2)]])

    @Test func `a hole is outside`() {
        #expect(squareWithHole.contains(point(10.2, 10.2)))
        #expect(!squareWithHole.contains(point(10.5, 10.5)))
        #expect(!squareWithHole.contains(point(9.9, 10.5)))
        #expect(!squareWithHole.contains(point(50, 10.5)))
    }

    @Test func `a cell may touch the border but not cross it`() {
        #expect(squareWithHole.contains(GridCell(containing: place(10.05, 10.05), decimals: 1)))
        #expect(squareWithHole.contains(GridCell(containing: place(10.95, 10.95), decimals: 1)))
        #expect(squareWithHole.contains(GridCell(containing: place(10.35, 10.45), decimals: 1)))
        #expect(!squareWithHole.contains(GridCell(containing: place(10.45, 10.45), decimals: 1)))
        let slanted = AreaOutline([[[place(0, 0), place(0, 1), place(1, 1)]]])
        #expect(!slanted.contains(GridCell(containing: place(0.55, 0.55), decimals: 1)))
        #expect(slanted.contains(GridCell(containing: place(0.55, 0.65), decimals: 1)))
    }

    @Test func `a cell with a little hole is not within`() {
        let pierced = AreaOutline([[square(10, 10, side: 1), square(10.512, 10.512, side: 0.001)]])
        #expect(!pierced.contains(GridCell(containing: place(10.55, 10.55), decimals: 1)))
        #expect(pierced.contains(GridCell(containing: place(10.55, 10.55), decimals: 2)))
    }

    @Test func `rings that enclose nothing are harmless`() {
        let strange: [AdministrativeArea.Polygon] = [
            [], [[]], [[place(1, 1)]], [[place(1, 1), place(1, 1), place(1, 1)]], [[place(1, 1), place(2, 2)]],
            [[place(.nan, 1), place(2, 2), place(3, 1)]], [[place(91, 0), place(0, 181), place(1, 1)]],
            [[place(0, 0), place(0, 1), place(0, 2)]],
        ]
        for polygons in strange.map({ [$0] }) + [strange, []] {
            let outline = AreaOutline(polygons)
            #expect(!outline.contains(point(1, 1)))
            #expect(!outline.contains(GridCell(containing: place(1, 1), decimals: 1)))
            _ = NearestPoint(to: place(1, 1), withinMetres: 50_000).distance(to: outline)
        }
    }

    @Test func `a ring that crosses itself is read by the even odd rule`() {
        let bowTie = AreaOutline([[[place(0, 0), place(1, 1), place(1, 0), place(0, 1)]]])
        #expect(bowTie.contains(point(0.2, 0.5)))
        #expect(bowTie.contains(point(0.8, 0.5)))
        #expect(!bowTie.contains(point(0.5, 0.2)))
    }

    @Test func `of two areas that share a border exactly one holds a point on it`() {
        var random = RandomSource(seed: 4)
        let shared = (0...10).map { place(Double($0) / 10, .random(in: -0.4...0.4, using: &random)) }
        let west = AreaOutline([[shared + [place(1, -1), place(0, -1)]]])
        let east = AreaOutline([[shared + [place(1, 1), place(0, 1)]]])
        for vertex in shared.dropLast() {
            let onBorder = GridPoint(vertex) ?? GridPoint(x: 0, y: 0)
            #expect(west.contains(onBorder) != east.contains(onBorder))
        }
        for _ in 0..<2_000 {
            let somewhere = point(.random(in: 0..<1, using: &random), .random(in: -1..<1, using: &random))
            #expect(west.contains(somewhere) != east.contains(somewhere))
        }
    }

    @Test func `a cell is within when all its points are`() {
        var random = RandomSource(seed: 5)
        for _ in 0..<60 {
            let outline = AreaOutline([[random.star(around: (5, 5), radius: 1)]])
            for _ in 0..<40 {
                let somewhere = place(.random(in: 4...6, using: &random), .random(in: 4...6, using: &random))
                let cell = GridCell(containing: somewhere, decimals: 1)
                let within = stride(from: 500, to: 100_000, by: 3_000).allSatisfy { dx in
                    stride(from: 500, to: 100_000, by: 3_000).allSatisfy { dy in
                        outline.contains(GridPoint(x: cell.southWest.x + dx, y: cell.southWest.y + dy))
                    }
                }
                // The sample may miss a thin spike: then the cell is not within though the sample is.
                if outline.contains(cell) { #expect(within) }
                if !within { #expect(!outline.contains(cell)) }
            }
        }
    }

    @Test func `nearest points are found across the 180th meridian`() throws {
        let east = AreaOutline([[square(0, 179.5, side: 0.5)]])
        let search = NearestPoint(to: place(0.25, -179.9), withinMetres: 50_000)
        let metres = try #require(search.distance(to: east))
        #expect(abs(metres - geodesicMetres(place(0.25, -179.9), place(0.25, 180))) < 1)
        #expect(NearestPoint(to: place(0.25, -179.5), withinMetres: 50_000).distance(to: east) == nil)
    }

    @Test(arguments: [0.0, 30, 49, 60, 75, 82])
    func `nearest points agree with trying them all`(latitude: Double) throws {
        var random = RandomSource(seed: 6 + UInt64(latitude))
        for _ in 0..<50 {
            let ring = random.star(around: (latitude, 100), radius: 0.3)
            let from = place(latitude + 0.25, 100 + .random(in: -0.8...0.8, using: &random))
            let found = NearestPoint(to: from, withinMetres: 50_000).distance(to: AreaOutline([[ring]]))
            let tried = zip(ring, ring.dropFirst() + ring.prefix(1)).flatMap { one, other in
                (0...400).map { step in
                    let part = Double(step) / 400
                    return geodesicMetres(
                        from,
                        place(
                            one.latitude + part * (other.latitude - one.latitude),
                            one.longitude + part * (other.longitude - one.longitude)))
                }
            }
            let least = try #require(tried.min())
            if least <= 50_000 {
                let metres = try #require(found)
                #expect(metres <= least + 0.2 && metres >= least - 150)
            } else {
                #expect(found == nil || least < 50_150)
            }
        }
    }
}

/// A square ring, not closed.
private func square(_ south: Double, _ west: Double, side: Double) -> [Coordinate] {
    [place(south, west), place(south, west + side), place(south + side, west + side), place(south + side, west)]
}

private func point(_ latitude: Double, _ longitude: Double) -> GridPoint {
    GridPoint(place(latitude, longitude)) ?? GridPoint(x: 0, y: 0)
}

extension RandomSource {
    /// A ring round a middle, its corners at random distances: it never crosses itself.
    fileprivate mutating func star(around middle: (Double, Double), radius: Double) -> [Coordinate] {
        let corners = [
            (0.0, 1.0), (0.5, 0.87), (0.87, 0.5), (1, 0), (0.87, -0.5), (0.5, -0.87), (0, -1), (-0.5, -0.87),
            (-0.87, -0.5), (-1, 0), (-0.87, 0.5), (-0.5, 0.87),
        ]
        return corners.map { north, east in
            let length = Double.random(in: 0.2...1, using: &self) * radius
            return place(middle.0 + north * length, middle.1 + east * length)
        }
    }
}
