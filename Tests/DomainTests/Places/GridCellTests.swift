import TestRandom
import Testing

@testable import Domain

struct GridCellTests {
    @Test func `binary fractions do not move a place to a neighbour`() {
        // 0.7 + 0.1 is 0.7999999999999999, and 0.1 * 3 is 0.30000000000000004.
        #expect(GridCell(containing: place(0.7 + 0.1, 0.1 * 3), decimals: 1).centre == place(0.85, 0.35))
        #expect(GridCell(containing: place(-(0.1 * 3), 1.1 + 2.2), decimals: 1).centre == place(-0.25, 3.35))
        #expect(GridCell(containing: place(4.35, 1.005), decimals: 2).centre == place(4.355, 1.005))
        #expect(GridCell(containing: place(4.35, 1.005), decimals: 3).centre == place(4.3505, 1.0055))
    }

    @Test func `cells round down on both sides of zero`() {
        #expect(GridCell(containing: place(47.61, -122.33), decimals: 1).centre == place(47.65, -122.35))
        #expect(GridCell(containing: place(-0.01, -0.01), decimals: 1).centre == place(-0.05, -0.05))
        #expect(GridCell(containing: place(0, 0), decimals: 1).centre == place(0.05, 0.05))
    }

    @Test func `the last cells hold the pole and the meridian`() {
        #expect(GridCell(containing: place(90, 180), decimals: 1).centre == place(89.95, 179.95))
        #expect(GridCell(containing: place(-90, -180), decimals: 1).centre == place(-89.95, -179.95))
        #expect(GridCell(containing: place(90, 180), decimals: 3).centre == place(89.9995, 179.9995))
    }

    @Test func `what is not on earth does not trap`() {
        for strange in [Double.nan, .infinity, -.infinity, 1e300, -400] {
            let cell = GridCell(containing: place(strange, strange), decimals: 2)
            #expect(abs(cell.centre.latitude) <= 90 && abs(cell.centre.longitude) <= 180)
        }
    }

    @Test func `every place lies in its cells which are nested`() {
        var random = RandomSource(seed: 1)
        for _ in 0..<5_000 {
            let coordinate = random.somewhere()
            let cells = GridCell.allDecimals.map { GridCell(containing: coordinate, decimals: $0) }
            for (cell, coarser) in zip(cells.dropFirst(), cells) {
                #expect(cell.southWest.x >= coarser.southWest.x && cell.northEast.x <= coarser.northEast.x)
                #expect(cell.southWest.y >= coarser.southWest.y && cell.northEast.y <= coarser.northEast.y)
            }
            for cell in cells {
                // The place is rounded to millionths of a degree first.
                let (low, high) = (cell.corners[0], cell.corners[2])
                #expect(coordinate.latitude > low.latitude - 1e-6 && coordinate.latitude < high.latitude + 1e-6)
                #expect(coordinate.longitude > low.longitude - 1e-6 && coordinate.longitude < high.longitude + 1e-6)
            }
        }
    }

    @Test func `the centre and all within lie in the same cell`() {
        var random = RandomSource(seed: 2)
        for _ in 0..<5_000 {
            let decimals = Int.random(in: GridCell.allDecimals, using: &random)
            let cell = GridCell(containing: random.somewhere(), decimals: decimals)
            #expect(GridCell(containing: cell.centre, decimals: decimals) == cell)
            #expect(GridCell(containing: cell.corners[0], decimals: decimals) == cell)
            for finer in decimals...3 {
                let within = GridCell(containing: cell.centre, decimals: finer)
                #expect(GridCell(containing: within.centre, decimals: decimals) == cell)
            }
        }
    }

    @Test func `uncertainty reaches the farthest corner`() {
        // At the equator half a diagonal of 0.1° is 7,846 m; towards the poles cells grow narrower.
        #expect(GridCell(containing: place(0, 0), decimals: 1).uncertaintyMetres == 7846)
        #expect(GridCell(containing: place(-0.05, 0), decimals: 1).uncertaintyMetres == 7846)
        var random = RandomSource(seed: 3)
        for _ in 0..<1_000 {
            let decimals = Int.random(in: GridCell.allDecimals, using: &random)
            let coordinate = random.somewhere()
            let cell = GridCell(containing: coordinate, decimals: decimals)
            let farthest = cell.corners.map { geodesicMetres(cell.centre, $0) }.reduce(0, max)
            #expect(cell.uncertaintyMetres >= farthest && cell.uncertaintyMetres < farthest + 1)
            #expect(cell.uncertaintyMetres.rounded() == cell.uncertaintyMetres)
            #expect(geodesicMetres(cell.centre, coordinate) <= cell.uncertaintyMetres)
        }
    }
}
