/// Percentiles by linear interpolation between the two nearest ranks.
///
/// - Source: type 7 of R. J. Hyndman and Y. Fan, "Sample quantiles in statistical packages", The American Statistician
///   50 (1996), 361; the default of R and numpy, and PostgreSQL's `percentile_cont`.
package enum Percentile {
    /// The value below which a share of the values lie, 0 to 1; nil without values.
    /// - Parameter values: ascending.
    package static func of(_ values: [Double], _ share: Double) -> Double? {
        guard let last = values.indices.last, !share.isNaN else { return nil }
        let place = min(max(share, 0), 1) * Double(last)
        let below = Int(place.rounded(.down))
        let (low, high) = (values[below], values[min(below + 1, last)])
        return low + (place - Double(below)) * (high - low)
    }

    /// The value in the middle, of values in any order; nil without values.
    package static func median(_ values: [Double]) -> Double? {
        of(values.sorted(), 0.5)
    }
}
