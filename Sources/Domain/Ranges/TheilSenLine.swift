/// A line through points by the median of all slopes between two of them.
///
/// - Source: P. K. Sen, "Estimates of the regression coefficient based on Kendall's tau", Journal of the American
///   Statistical Association 63 (1968), 1379; scipy's `theilslopes` with the method `separate` has the same values.
package struct TheilSenLine: Hashable, Sendable {
    package let slope: Double
    /// The interval of the slope.
    package let low: Double
    package let high: Double
    /// The median of y less the slope times the median of x.
    package let intercept: Double

    /// The quantile of the normal distribution for an interval of 95 %.
    package static let ninetyFive = 1.959963984540054

    /// Fits the line; nil where no two points differ in x, or any number is not finite.
    /// - Parameter deviations: half the width of the interval, in standard deviations.
    package init?(_ points: [(x: Double, y: Double)], deviations: Double = Self.ninetyFive) {
        guard points.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return nil }
        var slopes: [Double] = []
        for (index, one) in points.enumerated() {
            for other in points[(index + 1)...] where other.x != one.x {
                slopes.append((other.y - one.y) / (other.x - one.x))
            }
        }
        slopes.sort()
        guard let slope = Percentile.median(slopes), let x = Percentile.median(points.map(\.x)),
            let y = Percentile.median(points.map(\.y))
        else { return nil }
        self.slope = slope
        intercept = y - slope * x
        let variance = Self.variance(points.count, ties: [RankTies(points.map(\.x)), RankTies(points.map(\.y))])
        let width = deviations * max(0, variance).squareRoot()
        let most = slopes.count - 1
        // Ranks from 0, halves rounded to even.
        let upper = ((Double(slopes.count) + width) / 2).rounded(.toNearestOrEven)
        let lower = ((Double(slopes.count) - width) / 2).rounded(.toNearestOrEven) - 1
        low = slopes[Int(min(max(lower, 0), Double(most)))]
        high = slopes[Int(min(max(upper, 0), Double(most)))]
    }

    /// The variance of Kendall's score.
    private static func variance(_ count: Int, ties: [RankTies]) -> Double {
        (RankTies.term(count) - ties.reduce(0) { $0 + $1.term }) / 18
    }
}

/// Values that occur more than once.
struct RankTies {
    /// The sum that ties subtract from 18 times the variance of Kendall's score.
    let term: Double

    init(_ values: [Double]) {
        var counts: [Double: Int] = [:]
        for value in values { counts[value, default: 0] += 1 }
        // Whole numbers: the order of addition does not matter.
        term = counts.values.reduce(0) { $0 + Self.term($1) }
    }

    /// 18 times the variance of the score of so many values without ties.
    static func term(_ count: Int) -> Double {
        let n = Double(count)
        return n * (n - 1) * (2 * n + 5)
    }
}
