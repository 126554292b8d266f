package import Domain

/// A column of a table of ranges, version `ranges-1`. `docs/exports.md` lists them, and a test compares the two.
///
/// The cases are in the order of the columns. Columns are only ever added, at the end.
package enum RangeColumn: String, CaseIterable, Hashable, Sendable {
    // The row
    case taxon, scientificName, region, from, to, week

    // Its records
    case records, cells, visits, observers, generalised

    // The southern end
    case southLatitude, southSightingID, southMeanOf10Cells
    case southGamma95, southGammaShape, southGammaScale, southGammaReference, southGammaCells, southGammaBeyondData
    case q05, q10, southTruncated

    // The northern end
    case northLatitude, northSightingID, northMeanOf10Cells
    case northGamma95, northGammaShape, northGammaScale, northGammaReference, northGammaCells, northGammaBeyondData
    case q90, q95, northTruncated

    // The middle and the extent
    case q50, centroidLatitude, centroidLongitude, hullKm2, eooKm2, eooIucnKm2, eooReason, aooKm2, aooMinKm2, aooMaxKm2

    // Records that do not count; those that wait for a moderator are in no export
    case leftOutCaptive, leftOutQualified, leftOutPrompted, leftOutUncertain, leftOutNoPlace, leftOutNoConfidence
    case leftOutLowConfidence, leftOutPeriod

    // Figures without a value
    case missing

    /// The columns that name a row; all others are its figures.
    package static let ofKey: Set<Self> = [.taxon, .scientificName, .region, .from, .to, .week]

    package var name: String { rawValue }

    /// The identifier of the column's term in Darwin Core; nil for figures, which `docs/range-metrics.md` defines.
    package var term: String? {
        switch self {
        case .taxon: OccurrenceColumn.taxonID.term
        case .scientificName: OccurrenceColumn.scientificName.term
        default: nil
        }
    }

    package var kind: OccurrenceColumn.Kind {
        switch self {
        case .taxon, .scientificName, .region, .southSightingID, .northSightingID, .eooReason, .missing: .text
        case .southGammaBeyondData, .northGammaBeyondData, .southTruncated, .northTruncated: .boolean
        case .southGammaShape, .northGammaShape: .decimal
        case _ where unit != nil: .decimal
        default: .integer
        }
    }

    /// The unit of a number; nil for text, and for numbers without a unit.
    package var unit: String? {
        switch self {
        case .southLatitude, .southMeanOf10Cells, .southGamma95, .southGammaReference, .q05, .q10, .northLatitude,
            .northMeanOf10Cells, .northGamma95, .northGammaReference, .q90, .q95, .q50, .centroidLatitude,
            .centroidLongitude:
            "degree"
        case .southGammaScale, .northGammaScale: "metre"
        case .hullKm2, .eooKm2, .eooIucnKm2, .aooKm2, .aooMinKm2, .aooMaxKm2: "square kilometre"
        default: nil
        }
    }

    /// The number of decimals; nil unless it is a decimal number.
    package var decimals: Int? {
        guard kind == .decimal else { return nil }
        return unit == "square kilometre" || unit == "metre" ? 2 : 6
    }

    /// The column that counts the records left out for a reason; nil for a reason that no record of an export has.
    package init?(counting reason: LeftOutReason) {
        let word = reason.rawValue
        self.init(rawValue: "leftOut" + word.prefix(1).uppercased() + word.dropFirst())
    }
}
