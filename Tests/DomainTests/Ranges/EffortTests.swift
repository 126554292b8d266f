import Testing

@testable import Domain

struct EffortTests {
    private let question = MarginQuestion(metric: .extreme, end: .south, side: .ten, reference: nil)
    /// Orders by the hashed text itself, so that a test can tell which text it was.
    private let byText = VisitOrder(seed: "s") { $0 }

    /// Visits of a cell and year, of which the first ones found the taxon.
    private func visits(_ count: Int, _ year: Int, latitude: Double, found: Int = 0) -> [EffortVisit] {
        let place = RangeSamples.at(latitude, -100)
        return (0..<count).map { number in
            EffortVisit(
                id: "\(year)-\(latitude)-\(number)", period: RangeSamples.year(year), cell: MarginCell(place),
                listLength: 10 + number, records: number < found ? RangeSamples.records([place]) : [])
        }
    }

    @Test func `a well-sampled cell has three visits in two thirds of the periods`() {
        let throughout = (2000..<2009).flatMap { visits(3, $0, latitude: 45, found: 1) }
        let often = (2000..<2006).flatMap { visits(3, $0, latitude: 44, found: 1) }
        let seldom = (2000..<2005).flatMap { visits(3, $0, latitude: 43, found: 1) }
        let thinly = (2000..<2009).flatMap { visits(2, $0, latitude: 42, found: 1) }
        let sampled = WellSampledCells(throughout + often + seldom + thinly, question)
        #expect(sampled.cells == [44, 45].map { MarginCell(RangeSamples.at($0, -100)) })
        #expect(sampled.points.map(\.value.value) == Array(repeating: 44, count: 6) + Array(repeating: 45, count: 3))
        #expect(sampled.trend.value?.n == 9)
        #expect(WellSampledCells([], question).trend.reason == .noVisits)
        #expect(WellSampledCells(thinly, question).trend.reason == .noWellSampledCells)
    }

    @Test func `poor periods take no part and are named`() async throws {
        let all =
            visits(40, 2000, latitude: 45, found: 40) + visits(29, 2001, latitude: 45) + visits(35, 2002, latitude: 44)
        let rarefied = try await Rarefaction(all, question, order: byText)
        #expect(rarefied.visits == 35 && rarefied.poor == [RangeSamples.year(2001)])
        #expect(rarefied.points.map(\.value.value) == [45, nil])
        #expect(rarefied.points.last?.value.reason == .fewDraws)
        #expect(rarefied.trend.reason == .fewPeriods)
        let poor = try await Rarefaction(visits(29, 2001, latitude: 45), question, order: byText)
        #expect(poor.trend.reason == .fewVisits)
        let none = try await Rarefaction([], question, order: byText)
        #expect(none.trend.reason == .noVisits)
    }

    @Test func `rarefaction pauses before each draw, and ends with what that throws`() async throws {
        let all = visits(30, 2000, latitude: 45, found: 30) + visits(31, 2001, latitude: 44, found: 31)
        let pauses = Pauses()
        let rarefied = try await Rarefaction(all, question, order: byText) { await pauses.count() }
        // All draws of the poorest period are the same.
        #expect(await pauses.number == Rarefaction.draws + 1)
        #expect(rarefied.points.map(\.value.value) == [45, 44])
        await #expect(throws: CancellationError.self) {
            try await Rarefaction(all, question, order: byText) { throw CancellationError() }
        }
    }

    @Test func `a draw takes the visits with the least hashes of seed, draw and visit`() {
        let three = ["b", "a", "c"].map { id in
            EffortVisit(
                id: id, period: RangeSamples.year(2000), cell: MarginCell(row: 1, column: 1), listLength: 1, records: []
            )
        }
        #expect(byText.first(2, of: three, draw: 7).map(\.id) == ["a", "b"])
        // Reverses the order of one draw only.
        let reversed = VisitOrder(seed: "s") { bytes in
            bytes.starts(with: Array("s/7/".utf8)) ? bytes.map { 255 - $0 } : bytes
        }
        #expect(reversed.first(2, of: three, draw: 7).map(\.id) == ["c", "b"])
        #expect(reversed.first(2, of: three, draw: 8).map(\.id) == ["a", "b"])
        let same = VisitOrder(seed: "s") { _ in [] }
        #expect(same.first(3, of: three, draw: 1).map(\.id) == ["a", "b", "c"])
    }

    @Test func `effort is counted by band of the margin`() {
        let all =
            visits(4, 2000, latitude: 45, found: 2) + visits(2, 2000, latitude: 44.5)
            + visits(1, 2001, latitude: 50, found: 1)
        let points = [SeriesPoint(period: RangeSamples.year(2000), value: .success(44.9))]
        let rows = EffortTable.rows(all.reversed(), .south, points)
        #expect(rows.map(\.band) == [.beyondTo100Km, .insideTo100Km, .inside200Km])
        #expect(rows.map(\.visits) == [2, 4, 1] && rows.map(\.detections) == [0, 2, 1])
        #expect(rows.map(\.listLength) == [10.5, 11.5, 10])
        #expect(EffortTable.rows(all, .south, []).isEmpty)
    }

    @Test(arguments: [
        (46.0, MarginBand.inside200Km), (43.5, .insideTo200Km), (42.5, .insideTo100Km), (42, .insideTo100Km),
        (41.5, .beyondTo100Km), (40, .beyond100Km), (.nan, .inside200Km),
    ])
    func `bands have 100 km, counted outwards from the margin`(_ latitude: Double, _ band: MarginBand) {
        #expect(MarginBand(latitude: latitude, margin: 42, .south) == band)
        let mirrored = MarginBand(latitude: -latitude, margin: -42, .north)
        #expect(mirrored == band)
    }
}

private actor Pauses {
    private(set) var number = 0

    func count() { number += 1 }
}
