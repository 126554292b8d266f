/// A band of 100 km along the meridian, counted from the margin.
package enum MarginBand: String, Vocabulary, Comparable {
    case beyond100Km
    case beyondTo100Km
    case insideTo100Km
    case insideTo200Km
    case inside200Km

    /// Kilometres along the meridian.
    package static let width = 100.0

    /// The band of a place.
    /// - Parameter margin: the latitude of the margin in degrees.
    package init(latitude: Double, margin: Double, _ end: RangeEnd) {
        let metres = (MeridianArc.metres(to: latitude) - MeridianArc.metres(to: margin)) * end.outward
        switch metres / 1000 {
        case Self.width...: self = .beyond100Km
        case 0.nextUp...: self = .beyondTo100Km
        case (-Self.width).nextUp...: self = .insideTo100Km
        case (-2 * Self.width).nextUp...: self = .insideTo200Km
        default: self = .inside200Km
        }
    }

    /// From the outermost to the innermost.
    package static func < (one: Self, other: Self) -> Bool {
        one.order < other.order
    }

    private var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// The effort in a band of a period.
package struct EffortRow: Hashable, Sendable {
    package let period: RangePeriod
    package let band: MarginBand
    /// Complete visits.
    package let visits: Int
    /// Those that found the taxon.
    package let detections: Int
    /// The mean number of taxa of a visit.
    package let listLength: Double
}

/// Visits, detections and list length by band of the margin.
package enum EffortTable {
    /// The rows of bands with visits, by period and from the outermost band inwards.
    /// - Parameter points: the raw series; bands are counted from the median of its values. Without any there are no
    ///   rows.
    package static func rows(_ visits: [EffortVisit], _ end: RangeEnd, _ points: [SeriesPoint]) -> [EffortRow] {
        guard let margin = Percentile.median(points.compactMap { try? $0.value.get() }) else { return [] }
        var groups: [RangePeriod: [MarginBand: [EffortVisit]]] = [:]
        for visit in visits {
            let band = MarginBand(latitude: visit.cell.latitude, margin: margin, end)
            groups[visit.period, default: [:]][band, default: []].append(visit)
        }
        return groups.sorted { $0.key < $1.key }.flatMap { period, bands in
            bands.sorted { $0.key < $1.key }.map { band, visits in
                EffortRow(
                    period: period, band: band, visits: visits.count,
                    detections: visits.count { !$0.records.isEmpty },
                    // The sum is of floating-point numbers: one of integers could overflow.
                    listLength: visits.map { Double($0.listLength) }.sorted().reduce(0, +) / Double(visits.count))
            }
        }
    }
}
