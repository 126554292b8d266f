import Glibc

/// The Mann-Kendall test for a monotonic trend, by the normal approximation with corrections for ties and continuity.
///
/// - Source: R. O. Gilbert, "Statistical Methods for Environmental Pollution Monitoring" (1987), 16.4; pymannkendall's
///   `original_test` has the same values.
package struct MannKendall: Hashable, Sendable {
    /// Two-sided.
    package let p: Double
    /// The score over the number of pairs, without a correction for ties.
    package let tau: Double

    /// Tests values in the order of time; nil for fewer than two, or any that is not a number.
    package init?(_ values: [Double]) {
        guard values.count > 1, !values.contains(where: \.isNaN) else { return nil }
        var score = 0.0
        for (index, one) in values.enumerated() {
            for other in values[(index + 1)...] where other != one { score += other > one ? 1 : -1 }
        }
        let n = Double(values.count)
        tau = score / (n * (n - 1) / 2)
        let variance = (RankTies.term(values.count) - RankTies(values).term) / 18
        let corrected = score == 0 ? 0 : abs(score) - 1
        p = variance > 0 ? erfc(corrected / variance.squareRoot() / 2.0.squareRoot()) : 1
    }
}
