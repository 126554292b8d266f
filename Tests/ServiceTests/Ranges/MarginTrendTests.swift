import Crypto
import Domain
import FoundationEssentials
import ReadModels
import Testing

@testable import Service

struct MarginTrendTests {
    private static let taxon = TaxonID(UUID())
    private static let side = CellSide.ten

    private static func place(_ latitude: Double) -> Coordinate {
        Coordinate(uncheckedLatitude: latitude, longitude: -100)
    }

    private static func record(_ latitude: Double) -> RangeRecord {
        RangeRecord(id: SightingID(UUID()), place: place(latitude))
    }

    private static func year(_ year: Int) -> RangePeriod { .years(from: year, to: year) }

    /// Records of a region, a line for each year.
    private static func counts(_ latitudes: [Int: [Double]], in region: String? = "a") -> RangeCounts {
        let groups = latitudes.flatMap { year, latitudes in
            latitudes.map { latitude in
                RangeCounts.Group(
                    region: region.map { RegionCode(unchecked: $0) }, period: Self.year(year), reason: nil,
                    place: record(latitude), records: 1, generalised: 0, notInExports: 0)
            }
        }
        return RangeCounts(groups: groups, observers: [])
    }

    /// Visits of one cell, each with one record.
    private static func visits(_ latitudes: [Int: [Double]]) -> [EffortVisit] {
        latitudes.sorted { $0.key < $1.key }.flatMap { year, latitudes in
            latitudes.enumerated().map { number, latitude in
                EffortVisit(
                    id: "\(year)-\(number)", period: Self.year(year), cell: MarginCell(place(40)), listLength: 12,
                    records: [record(latitude)])
            }
        }
    }

    private static func query(
        _ metric: MarginMetric = .extreme, region: String? = nil, minConfidence: Int? = nil
    ) throws -> TrendQuery {
        let filter = RecordFilter(minConfidence: try minConfidence.map { try Confidence($0) })
        let range = RangeQuery(
            of: taxon, filter, side: side, region: region.map { RegionCode(unchecked: $0) }, end: .south)
        return TrendQuery(range, end: .south, metric: metric)
    }

    private static func trend(
        _ counts: RangeCounts, _ query: TrendQuery, of visits: [EffortVisit] = [], limit: Duration = .seconds(600)
    ) async throws -> MarginTrend {
        let places = try PlaceIndex(
            borders: [], abroad: [], regions: [], islands: [], version: PolygonSetCode(unchecked: "test-v1"))
        return try await MarginTrend(
            counts, visits, for: query, asOf: nil, borders: LandBorders(places), within: ComputingTime(limit: limit))
    }

    /// A fiftieth of a degree southwards each year.
    private static let moving = Dictionary(
        uniqueKeysWithValues: (2001...2010).map { ($0, [40 - 0.02 * Double($0 - 2001)]) })

    @Test func `a shift that all complete visits have remains`() async throws {
        let trend = try await Self.trend(
            Self.counts(Self.moving), Self.query(),
            of: Self.visits(Self.moving.mapValues { Array(repeating: $0[0], count: 30) }))
        #expect(trend.judgement.conclusion == .remains)
        #expect(trend.visits == 300 && trend.periods == 10 && trend.wellSampled.cells.count == 1)
        #expect(trend.rarefaction.visits == 30 && trend.rarefaction.poor.isEmpty)
        #expect(trend.rarefaction.points.map { try? $0.value.get() } == trend.points.map { try? $0.value.get() })
        #expect(trend.effort.reduce(0) { $0 + $1.visits } == 300)
    }

    @Test func `a shift that complete visits lack is not distinguishable from effort`() async throws {
        let trend = try await Self.trend(
            Self.counts(Self.moving), Self.query(),
            of: Self.visits(Self.moving.mapValues { _ in Array(repeating: 40, count: 30) }))
        #expect(trend.judgement.conclusion == .notDistinguishable)
    }

    @Test func `without visits effort cannot be separated`() async throws {
        let trend = try await Self.trend(Self.counts(Self.moving), Self.query())
        #expect(trend.judgement.conclusion == .notComputable && trend.judgement.sentence.contains("presence-only"))
        #expect(try trend.raw.get().n == 10)
        let none = try await Self.trend(RangeCounts(groups: [], observers: []), Self.query(.gamma95))
        #expect(none.points.isEmpty && none.judgement.conclusion == .noTrend && none.truncated.isEmpty)
    }

    @Test func `an end that is truncated in one period has no trend`() async throws {
        let beyond = Self.counts([2004: [35]], in: "b")
        let counts = RangeCounts(groups: Self.counts(Self.moving).groups + beyond.groups, observers: [])
        let inside = try await Self.trend(counts, Self.query(region: "a"))
        #expect(inside.truncated == [Self.year(2004)] && inside.points.count == 10)
        #expect(throws: TrendReason.truncated) { try inside.raw.get() }
        let everywhere = try await Self.trend(counts, Self.query())
        #expect(everywhere.truncated.isEmpty)
        #expect(try everywhere.points[3].value.get() == 35 && everywhere.raw.get().n == 10)
    }

    /// As `docs/range-metrics.md` says, with the seed of the answer.
    @Test func `anyone can repeat the draws`() async throws {
        var latitudes: [Int: [Double]] = [:]
        for year in 2001...2009 {
            latitudes[year] = (0..<(30 + year % 7)).map { 40 + Double(($0 * 37 + year) % 50) / 10 }
        }
        let visits = Self.visits(latitudes)
        let found = try await Self.trend(Self.counts(latitudes), Self.query(), of: visits)
        #expect(found.rarefaction.visits == 30 && found.rarefaction.points.count == 9)
        for point in found.rarefaction.points {
            let own = visits.filter { $0.period == point.period }
            let values = (1...199).map { draw in
                let drawn = own.sorted { one, other in
                    Self.hash(found.seed, draw, one).lexicographicallyPrecedes(Self.hash(found.seed, draw, other))
                }
                return drawn.prefix(30).flatMap(\.records).map(\.place.latitude).min() ?? .nan
            }
            #expect(try point.value.get() == values.sorted()[99], "\(point.period)")
        }
    }

    private static func hash(_ seed: String, _ draw: Int, _ visit: EffortVisit) -> [UInt8] {
        Array(SHA256.hash(data: Array("\(seed)/\(draw)/\(visit.id)".utf8)))
    }

    @Test func `the seed is that of the question and its day`() throws {
        let day = try CivilDate("2026-05-31")
        let seeds = [
            MarginTrend.seed(of: try Self.query(), asOf: nil), MarginTrend.seed(of: try Self.query(), asOf: day),
            MarginTrend.seed(of: try Self.query(.q05), asOf: nil),
            MarginTrend.seed(of: try Self.query(region: "a"), asOf: nil),
            MarginTrend.seed(of: try Self.query(minConfidence: 8), asOf: nil),
        ]
        #expect(Set(seeds).count == seeds.count && seeds.allSatisfy { $0.utf8.count == 64 })
        #expect(MarginTrend.seed(of: try Self.query(), asOf: nil) == seeds[0])
    }

    @Test func `a computation ends with its time, and with its request`() async throws {
        let counts = Self.counts(Self.moving)
        await #expect(throws: MapTimeout.self) { try await Self.trend(counts, Self.query(), limit: .zero) }
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await Self.trend(counts, Self.query())
        }
        await #expect(throws: CancellationError.self) { try await cancelled.value }
    }
}
