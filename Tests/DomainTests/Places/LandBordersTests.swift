import Testing

@testable import Domain

struct LandBordersTests {
    private static let borders = Result { LandBorders(try ShippedPlaces.index()) }

    private func isNear(_ latitude: Double, _ longitude: Double, _ end: RangeEnd, _ region: String) throws -> Bool {
        let cell = MarginCell(RangeSamples.at(latitude, longitude))
        return Truncation.isTruncated(
            OccupiedCells([cell]), end, border: try Self.borders.get().lines(of: try RegionCode(region)),
            hasRecordsBeyond: false)
    }

    @Test func `a region ends at other regions and at land abroad, neither at its own states nor at coasts`() throws {
        // Oregon meets California at 42° N, and Washington within the same region at the Columbia.
        #expect(try isNear(42.1, -121, .south, "pacific-northwest"))
        #expect(try !isNear(42.1, -121, .north, "pacific-northwest"))
        #expect(try !isNear(45.95, -120, .south, "pacific-northwest"))
        #expect(try isNear(41.9, -121, .north, "california"))
        // Baja California is land abroad; Point Conception has only the sea before it.
        #expect(try isNear(32.7, -116.5, .south, "california"))
        #expect(try !isNear(34.6, -120.5, .south, "california"))
        let islands = try Self.borders.get()
        #expect(islands.lines(of: try RegionCode("hawaii")).isEmpty)
        #expect(islands.lines(of: try RegionCode("nowhere")).isEmpty)
    }

    @Test func `edges that follow each other are one line`() throws {
        let lines = try Self.borders.get().lines(of: try RegionCode("california"))
        let edges = lines.reduce(0) { $0 + $1.count - 1 }
        #expect(lines.count > 1 && edges > 10 * lines.count, "\(edges) edges in \(lines.count) lines")
    }
}
