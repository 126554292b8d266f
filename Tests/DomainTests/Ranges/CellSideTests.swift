import Testing

@testable import Domain

struct CellSideTests {
    @Test func `sides are 5 to 100 km`() throws {
        #expect(try CellSide(5).metres == 5_000)
        #expect(throws: RuleViolation.self) { try CellSide(4) }
        #expect(throws: RuleViolation.self) { try CellSide(101) }
        #expect(MarginCell(RangeSamples.at(60, -100)) == MarginCell(RangeSamples.at(60, -100), side: .ten))
    }

    // Computed with numpy from the same definition.
    @Test(arguments: [(5, 1330, 892), (10, 665, 446), (50, 133, 89), (100, 66, 44)])
    func `a place has a cell of each side`(_ side: Int, row: Int, column: Int) throws {
        let cell = MarginCell(RangeSamples.at(60, -100), side: try CellSide(side))
        #expect(cell.row == row && cell.column == column)
    }

    @Test(arguments: [-90.0, -71.3, -0.001, 0, 12, 45, 89.9999, 90])
    func `a latitude is found from its arc`(_ latitude: Double) {
        #expect(abs(MeridianArc.latitude(at: MeridianArc.metres(to: latitude)) - latitude) < 1e-9)
    }

    @Test(arguments: [5, 10, 37, 50, 100])
    func `the centre of a cell lies in it`(_ kilometres: Int) throws {
        let side = try CellSide(kilometres)
        for latitude in stride(from: -84.0, through: 84, by: 3.7) {
            for longitude in stride(from: -179.0, through: 150, by: 7.3) {
                let cell = MarginCell(RangeSamples.at(latitude, longitude), side: side)
                #expect(MarginCell(cell.centre, side: side) == cell)
                #expect(abs(cell.latitude - latitude) < Double(kilometres) / 200)
            }
        }
    }

    @Test func `no row has its centre beyond a pole`() {
        #expect(MarginCell(RangeSamples.at(90, 0)).latitude == 90)
        #expect(MarginCell(RangeSamples.at(-90, 0)).latitude == -90)
        #expect(RangeSamples.odd.allSatisfy { abs(MarginCell($0).centre.latitude) <= 90 })
    }
}
