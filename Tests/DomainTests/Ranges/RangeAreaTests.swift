import Testing

@testable import Domain

struct RangeAreaTests {
    @Test func `Hogna maderiana has the extent and the occupancy that red prints`() throws {
        // red prints 304.4806; the area of pyproj's geodesics is 304.4806042564.
        #expect(abs(try RangeArea.km2(of: RangeSamples.hogna).get() - 304.4806042564) < 1e-6)
        #expect(try GridArea.ofOccupancy(RangeSamples.hogna).get().km2 == 40)
    }

    /// Areas of pyproj's `Geod(ellps="WGS84").polygon_area_perimeter`.
    @Test func `edges are geodesics, also at the pole and over wide spans`() throws {
        let triangle = [RangeSamples.at(0, 0), RangeSamples.at(0, 10), RangeSamples.at(10, 0)]
        #expect(abs(try RangeArea.km2(of: triangle).get() - 618_642.5635927166) < 1e-3)
        let polar = [RangeSamples.at(60, 0), RangeSamples.at(90, 170), RangeSamples.at(89.9999, 90)]
        #expect(abs(try RangeArea.km2(of: polar).get() - 19.1357124375) < 1e-3)
        let wide = [
            RangeSamples.at(60, 0), RangeSamples.at(61, 170), RangeSamples.at(85, 90), RangeSamples.at(-20, 40),
        ]
        #expect(abs(try RangeArea.km2(of: wide).get() - 42_226_610.332262695) < 1e-3)
    }

    @Test func `the hull is cut at the widest gap`() throws {
        let pacific = [RangeSamples.at(50, 179), RangeSamples.at(52, -179), RangeSamples.at(50.2, 180)]
        let moved = pacific.map { RangeSamples.at($0.latitude, ($0.longitude - 100).remainder(dividingBy: 360)) }
        let (area, other) = (try RangeArea.km2(of: pacific).get(), try RangeArea.km2(of: moved).get())
        #expect(area < 20_000 && abs(area - other) < 1e-6)
    }

    @Test func `an area that cannot be told has a reason`() {
        let line = (0..<5).map { RangeSamples.at(40.1 + Double($0) / 10, -100.3 + Double($0) / 10) }
        #expect(RangeArea.km2(of: line).reason == .fewPoints)
        #expect(RangeArea.km2(of: [line[0], line[1], line[0]]).reason == .fewPoints)
        #expect(RangeArea.km2(of: [-120, 0, 120].map { RangeSamples.at(50, $0) }).reason == .tooWide)
        #expect(RangeArea.km2(of: [RangeSamples.at(.nan, 0)]).reason == .noRecords)
        #expect(ExtentOfOccurrence(.failure(.fewPoints), occupancyKm2: 8).iucnKm2 == 8)
        #expect(ExtentOfOccurrence(.failure(.tooWide), occupancyKm2: 8).iucnKm2 == nil)
        #expect(ExtentOfOccurrence(.success(3), occupancyKm2: 8).iucnKm2 == 8)
    }

    // The tests of rCAT2, in metres.
    @Test func `the squares of rCAT2`() throws {
        let square = [(0.0, 0.0), (1000, 0), (0, 1000), (1000, 1000)].map { (x: $0.0, y: $0.1) }
        let hull = ConvexHull(of: square.map { PlanePoint(x: Int($0.x), y: Int($0.y)) })
        #expect(hull.corners.count == 4)
        #expect(try #require(GridArea(of: square, side: 2000, shifts: 1)).cells == 1)
        #expect(try #require(GridArea(of: square, side: 100, shifts: 1)).cells == 4)
        let shifted = [(200.0, 200.0), (1100, 200), (200, 1100), (1100, 1100)].map { (x: $0.0, y: $0.1) }
        let best = try #require(GridArea(of: shifted, side: 1000, shifts: 5))
        #expect(best.cells == 4 && best.fewest == 1 && best.bestShiftEast == 200 && best.bestShiftNorth == 200)
    }

    @Test func `red's subsets of the points`() throws {
        let points = RangeSamples.hogna
        #expect(try GridArea.ofOccupancy([points[0], points[7]]).get().km2 == 8)
        #expect(try GridArea.ofOccupancy([points[0], points[2], points[9]]).get().km2 == 12)
    }

    @Test func `a range goes on where others lie ahead, at most 45 degrees to the side`() {
        let cells = OccupiedCells(of: RangeSamples.column(from: 40, count: 20), side: .ten)
        func goesOn(_ end: RangeEnd, _ others: Coordinate...) -> Bool { Truncation.goesOn(cells, end, to: others) }
        let south = RangeSamples.at(35, -100)
        #expect(goesOn(.south, south) && !goesOn(.north, south))
        // Five degrees of latitude are as long as 6.5 of longitude there.
        #expect(goesOn(.south, RangeSamples.at(35, -106)) && !goesOn(.south, RangeSamples.at(35, -108)))
        #expect(goesOn(.south, RangeSamples.at(60, 0), south) && !goesOn(.south))
        #expect(!goesOn(.south, RangeSamples.at(45, -100)) && goesOn(.north, RangeSamples.at(45, -100)))
        #expect(!goesOn(.south, RangeSamples.at(.nan, .nan)))
    }

    @Test func `an end is truncated at a border, not beside one`() {
        let cells = OccupiedCells(of: RangeSamples.column(from: 40, count: 20), side: .ten)
        func isTruncated(_ end: RangeEnd, _ border: [Coordinate], beyond: Bool = false) -> Bool {
            Truncation.isTruncated(cells, end, border: [border], hasRecordsBeyond: beyond)
        }
        let south = [RangeSamples.at(39.8, -110), RangeSamples.at(39.8, -90)]
        #expect(isTruncated(.south, south) && !isTruncated(.north, south))
        let far = [RangeSamples.at(39.5, -110), RangeSamples.at(39.5, -90)]
        #expect(!isTruncated(.south, far) && isTruncated(.south, far, beyond: true))
        let beside = [RangeSamples.at(40.02, -100.4), RangeSamples.at(43, -100.4)]
        #expect(!isTruncated(.north, beside))
        #expect(!isTruncated(.south, [RangeSamples.at(.nan, .nan), RangeSamples.at(39.8, .nan)]))
        #expect(!Truncation.isTruncated(OccupiedCells([]), .south, border: [south], hasRecordsBeyond: true))
    }
}
