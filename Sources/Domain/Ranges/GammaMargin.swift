/// The end of a range as the 95th percentile of a gamma distribution of distances from a fixed reference.
///
/// - Source: C. Hassall and D. J. Thompson, "Accounting for recorder effort in the detection of range shifts from
///   historical data", Methods in Ecology and Evolution 1 (2010), 343.
package struct GammaMargin: Hashable, Sendable {
    /// Degrees.
    package let latitude: Double
    package let shape: Double
    /// Metres.
    package let scale: Double
    /// The latitude that distances are measured from, in degrees.
    package let reference: Double
    package let cells: Int
    /// Whether the margin lies farther out than the centre of the most extreme occupied cell.
    package let beyondData: Bool

    /// Fits the distribution.
    /// - Parameters:
    ///   - cells: the occupied ones of a period.
    ///   - reference: the same for all periods of an answer.
    package static func fit(
        _ cells: OccupiedCells, _ end: RangeEnd, from reference: GammaReference
    ) -> Result<Self, MissingReason> {
        guard let first = cells.cells.first, let last = cells.cells.last else { return .failure(.noRecords) }
        guard cells.cells.count >= OccupiedCells.fewest else { return .failure(.fewCells) }
        let distances = cells.cells.map { ($0.arcOfCentre - reference.arc) * end.outward }
        guard let fitted = GammaDistribution(fitting: distances) else { return .failure(.noSpread) }
        let arc = reference.arc + fitted.quantile(0.95) * end.outward
        guard abs(arc) <= MeridianArc.quarter else { return .failure(.beyondPole) }
        let extreme = end == .north ? last : first
        return .success(
            Self(
                latitude: MeridianArc.latitude(at: arc), shape: fitted.shape, scale: fitted.scale,
                reference: MeridianArc.latitude(at: reference.arc), cells: cells.cells.count,
                beyondData: (arc - extreme.arcOfCentre) * end.outward > 0))
    }
}

/// Where the distances of a gamma distribution start: the inner edge of the row of the cell that is most distant from
/// the end, over all periods of an answer. With a reference of its own for each period, a trend may change its sign.
package struct GammaReference: Hashable, Sendable {
    /// Metres along the meridian from the equator.
    let arc: Double

    /// - Parameter cells: those of all periods together; nil where there are none.
    package init?(_ cells: OccupiedCells, _ end: RangeEnd) {
        guard let first = cells.cells.first, let last = cells.cells.last else { return nil }
        let row = end == .north ? Double(first.row) : Double(last.row) + 1
        arc = row * first.side.metres
    }
}

extension MarginCell {
    /// Metres along the meridian from the equator to the row's centre.
    var arcOfCentre: Double { (Double(row) + 0.5) * side.metres }
}
