/// Why there is no trend.
package enum TrendReason: String, Vocabulary, Error {
    /// Weeks of all years together are no series in time.
    case weekOfYear
    /// The end is the region's border in one of the periods.
    case truncated
    /// Fewer than eight periods have a value.
    case fewPeriods
}

/// The slope of a series with its interval of 95 %.
package struct SlopeInterval: Hashable, Sendable {
    package let perDecade: Double
    package let low: Double
    package let high: Double

    /// 1 or -1 where the interval excludes 0, else 0.
    var direction: Int { low > 0 ? 1 : high < 0 ? -1 : 0 }
}

/// How much the residuals of neighbouring periods resemble each other.
package struct ResidualAutocorrelation: Hashable, Sendable {
    /// Nil where all points lie on the line.
    package let lag1: Double?
    /// Whether it is above 2/√n: the interval and p then are too small.
    package let warning: Bool

    /// - Parameters:
    ///   - residuals: in the order of time.
    ///   - length: of a period; a pair with a gap between is no pair of neighbours.
    init(_ residuals: [(x: Double, y: Double)], length: Double) {
        let n = Double(residuals.count)
        let mean = residuals.reduce(0) { $0 + $1.y } / n
        let squares = residuals.reduce(0) { $0 + ($1.y - mean) * ($1.y - mean) }
        // Residuals of rounding alone: a ten-thousandth of a metre.
        guard n > 0, squares > 1e-18 * n else {
            (lag1, warning) = (nil, false)
            return
        }
        let products = zip(residuals, residuals.dropFirst()).reduce(0) { sum, pair in
            pair.1.x - pair.0.x == length ? sum + (pair.0.y - mean) * (pair.1.y - mean) : sum
        }
        let lag1 = products / squares
        self.lag1 = lag1
        warning = lag1 > 2 / n.squareRoot()
    }
}

/// How an end of a range moves.
package struct RangeTrend: Hashable, Sendable {
    /// The fewest periods with a value.
    package static let fewestPeriods = 8

    /// The periods with a value.
    package let n: Int
    /// Degrees north in ten years.
    package let slope: SlopeInterval
    /// Kilometres north along the meridian in ten years.
    package let slopeKm: SlopeInterval
    package let p: Double
    package let tau: Double
    package let autocorrelation: ResidualAutocorrelation

    /// Computes the trend of a series. Periods without a value are gaps.
    /// - Parameter truncated: the periods in which the end is the region's border.
    package static func of(
        _ points: [SeriesPoint], truncated: Set<RangePeriod> = []
    ) -> Result<Self, TrendReason> {
        guard points.allSatisfy({ $0.period.middle != nil }) else { return .failure(.weekOfYear) }
        guard !points.contains(where: { truncated.contains($0.period) }) else { return .failure(.truncated) }
        let valued = points.sorted { $0.period < $1.period }.compactMap { point -> (x: Double, y: Double)? in
            guard let x = point.period.middle, let y = try? point.value.get(), y.isFinite else { return nil }
            return (x, y)
        }
        let kilometres = valued.map { (x: $0.x, y: MeridianArc.metres(to: $0.y) / 1000) }
        guard valued.count >= fewestPeriods, let line = TheilSenLine(valued), let lineKm = TheilSenLine(kilometres),
            let test = MannKendall(valued.map(\.y))
        else { return .failure(.fewPeriods) }
        let residuals = valued.map { (x: $0.x, y: $0.y - line.intercept - line.slope * $0.x) }
        return .success(
            Self(
                n: valued.count, slope: SlopeInterval(line), slopeKm: SlopeInterval(lineKm), p: test.p, tau: test.tau,
                autocorrelation: ResidualAutocorrelation(residuals, length: points.first?.period.length ?? 1)))
    }
}

extension SlopeInterval {
    /// - Parameter line: over years.
    init(_ line: TheilSenLine) {
        self.init(perDecade: line.slope * 10, low: line.low * 10, high: line.high * 10)
    }
}
