import Testing

@testable import Domain

struct MarginMetricTests {
    // The percentiles are numpy's (method `linear`); the centroid is that on the sphere.
    @Test func `percentiles and the centroid are those of the reference`() throws {
        let latitudes = RangeSamples.hogna.map(\.latitude).sorted()
        #expect(latitudes.first == 32.646768)
        #expect(abs(try #require(Percentile.of(latitudes, 0.05)) - 32.64754425) < 1e-10)
        #expect(abs(try #require(Percentile.of(latitudes, 0.95)) - 32.795888355) < 1e-10)
        let centroid = try Centroid.of(RangeSamples.hogna).get()
        #expect(abs(centroid.latitude - 32.7275668324) < 1e-10)
        #expect(abs(centroid.longitude + 16.9813510727) < 1e-10)
    }

    @Test func `the centroid crosses the 180th meridian, and may not exist`() throws {
        let centroid = try Centroid.of([RangeSamples.at(10, 179), RangeSamples.at(10, -177)]).get()
        #expect(abs(centroid.longitude + 179) < 1e-9)
        #expect(Centroid.of([RangeSamples.at(0, 0), RangeSamples.at(0, 180)]).reason == .noCentre)
        #expect(Centroid.of([]).reason == .noRecords)
    }

    @Test func `the mean of ten takes cells, not records, and needs twenty`() throws {
        let places = RangeSamples.column(from: 40, count: 20)
        let cells = OccupiedCells(of: places + places, side: .ten)
        let mean = places.prefix(10).map { MarginCell($0).latitude }.reduce(0, +) / 10
        #expect(cells.cells.count == 20)
        #expect(abs(try cells.meanOfTen(.south).get() - mean) < 1e-12)
        #expect(try cells.meanOfTen(.north).get() > mean + 0.5)
        #expect(OccupiedCells(of: places.dropLast(), side: .ten).meanOfTen(.south).reason == .fewCells)
        #expect(OccupiedCells([]).meanOfTen(.south).reason == .noRecords)
    }

    @Test func `a row that has too many cells gives its westernmost ones`() {
        let cells = (0..<30).map { MarginCell(row: 400, column: $0) }
        #expect(OccupiedCells(cells).margin(.north).map(\.column) == Array(0..<10))
        #expect(OccupiedCells(cells).margin(.south).map(\.column) == Array(0..<10))
    }

    @Test func `the extreme record is the one with the smallest id among equals`() throws {
        let places = [RangeSamples.at(41, 5), RangeSamples.at(40, 9), RangeSamples.at(40, 7)]
        let records = RangeSamples.records(places)
        #expect(ExtremeRecord(of: records.reversed(), .south)?.sighting == records[1].id)
        #expect(ExtremeRecord(of: records, .north)?.sighting == records[0].id)
        #expect(ExtremeRecord(of: [], .north) == nil)
    }

    @Test func `places have the digits that exports print`() {
        let record = RangeSamples.records([RangeSamples.at(40.123_456_7, -120.000_000_4)])[0]
        #expect(record.place.latitude == 40.123457 && record.place.longitude == -120)
    }

    /// The shape, scale and 95th percentile of scipy's `gamma.fit(values, floc=0)` and `gamma.ppf`.
    @Test(arguments: [
        ("some", 1.1206546758545848, 5.861958113208451, 18.90751249750849),
        ("squares", 0.676461577173322, 2904821.302949673, 6771405.627626098),
        ("small", 0.11962038099120946, 0.30159617801969735, 0.20595053250746326),
    ])
    func `the gamma distribution is the likeliest`(
        _ name: String, shape: Double, scale: Double, percentile: Double
    ) throws {
        let fitted = try #require(GammaDistribution(fitting: Self.distances[name] ?? []))
        #expect(abs(fitted.shape / shape - 1) < 1e-9)
        #expect(abs(fitted.scale / scale - 1) < 1e-9)
        #expect(abs(fitted.quantile(0.95) / percentile - 1) < 1e-9)
    }

    private static let distances: [String: [Double]] = [
        "some": [1, 2, 3, 4, 5, 6, 7, 9, 12, 30, 2.5, 3.5, 0.4],
        "squares": (0..<25).map { (index: Int) -> Double in 5000 + Double(index * index) * 10_000 },
        "small": (1...30).map { (index: Int) -> Double in 1 / Double(index * index * index * index) },
    ]

    @Test func `the margin by gamma has one reference for all periods`() throws {
        let north = RangeSamples.column(from: 40, count: 40)
        let all = OccupiedCells(of: north, side: .ten)
        let reference = try #require(GammaReference(all, .south))
        let margin = try GammaMargin.fit(all, .south, from: reference).get()
        let part = OccupiedCells(of: north.dropLast(15), side: .ten)
        #expect(try GammaMargin.fit(part, .south, from: reference).get().reference == margin.reference)
        #expect(margin.reference > 43.5 && margin.reference < 43.7)
        #expect(margin.beyondData == (margin.latitude < all.cells[0].latitude))
        #expect(
            GammaMargin.fit(OccupiedCells(of: north.prefix(5), side: .ten), .south, from: reference).reason == .fewCells
        )
    }

    @Test func `cells of one row have no gamma distribution`() throws {
        let row = OccupiedCells((0..<30).map { MarginCell(row: 400, column: $0) })
        let reference = try #require(GammaReference(row, .north))
        #expect(GammaMargin.fit(row, .north, from: reference).reason == .noSpread)
    }

    @Test func `every member without a value has a reason`() {
        let hogna = RangeSamples.records(RangeSamples.hogna)
        let few = RangeFigures(
            hogna, in: OccupiedCells(of: hogna.map(\.place), side: .ten), references: (nil, nil), isWholeTaxon: false)
        #expect(few.south.meanOf10Cells == nil && few.hullKm2 != nil && few.extent == nil)
        #expect(few.missing.contains(MissingMember(member: "south.meanOf10Cells", reason: .fewCells)))
        let none = RangeFigures([], in: OccupiedCells([]), references: (nil, nil), isWholeTaxon: true)
        #expect(none.missing.count == 14 && none.missing.allSatisfy { $0.reason == .noRecords })
    }
}
