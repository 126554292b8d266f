import Domain
import Exchange
import ReadModels

/// A taxon of a table of ranges.
struct RangeTaxon: Hashable, Sendable {
    let id: TaxonID
    /// As of the table's moment; nil if it was not known yet.
    let scientificName: String?

    /// The order of rows: by the UTF-8 of the names, then by the ids.
    func isBefore(_ other: Self) -> Bool {
        let (name, otherName) = (scientificName ?? "", other.scientificName ?? "")
        return name == otherName ? id < other.id : name.utf8.lexicographicallyPrecedes(otherName.utf8)
    }
}

/// A row of a table of ranges as it is written.
struct RangeLine: Hashable, Sendable {
    private var values: [RangeColumn: String] = [:]
    /// Control characters of values that became spaces.
    private(set) var replacedCharacters = 0

    /// The text of a column; empty where it has no value.
    subscript(column: RangeColumn) -> String { values[column] ?? "" }

    /// Its value; nil for none.
    func value(of column: RangeColumn) -> String? { values[column] }

    init(_ row: RangeRow, of taxon: RangeTaxon, _ query: RangeQuery) {
        var name = Array((taxon.scientificName ?? "").utf8)
        replacedCharacters = ControlCharacters.replace(in: &name)
        values[.taxon] = taxon.id.description
        values[.scientificName] = String(decoding: name, as: UTF8.self)
        values[.region] = row.region?.text ?? "all"
        switch row.period {
        case .years(let from, let to): (values[.from], values[.to]) = (String(from), String(to))
        case .week(let week): values[.week] = String(week)
        case nil: break
        }
        setCounts(row)
        for end in RangeEnd.allCases where query.asks(for: end) { set(end, row) }
        setExtent(row.figures)
        values[.missing] = row.missing(for: query).map { "\($0.member)=\($0.reason.rawValue)" }.joined(separator: ";")
    }

    private mutating func setCounts(_ row: RangeRow) {
        values[.records] = String(row.records)
        values[.cells] = String(row.figures.cells)
        values[.visits] = String(row.visits)
        values[.observers] = String(row.observers)
        values[.generalised] = String(row.generalised)
        for reason in LeftOutReason.allCases {
            guard let column = RangeColumn(counting: reason) else { continue }
            values[column] = String(row.leftOut.first { $0.reason == reason }?.records ?? 0)
        }
    }

    private mutating func set(_ end: RangeEnd, _ row: RangeRow) {
        let figures = end == .south ? row.figures.south : row.figures.north
        let gamma = figures.gamma95
        let columns = EndColumns(end)
        set(columns.latitude, figures.extreme?.latitude)
        values[columns.sighting] = figures.extreme?.sighting.description
        set(columns.mean, figures.meanOf10Cells)
        set(columns.gamma, gamma?.latitude)
        set(columns.shape, gamma?.shape)
        set(columns.scale, gamma?.scale)
        set(columns.reference, gamma?.reference)
        values[columns.cells] = gamma.map { String($0.cells) }
        values[columns.beyondData] = gamma.map { String($0.beyondData) }
        set(columns.outer5, figures.outer5)
        set(columns.outer10, figures.outer10)
        values[columns.truncated] = row.truncated[end].map { String($0) }
    }

    private mutating func setExtent(_ figures: RangeFigures) {
        set(.q50, figures.q50)
        set(.centroidLatitude, figures.centroid?.latitude)
        set(.centroidLongitude, figures.centroid?.longitude)
        set(.hullKm2, figures.hullKm2)
        set(.eooKm2, figures.extent?.km2)
        set(.eooIucnKm2, figures.extent?.iucnKm2)
        values[.eooReason] = figures.extent?.reason?.rawValue
        set(.aooKm2, figures.occupancy?.km2)
        set(.aooMinKm2, figures.occupancy?.minKm2)
        set(.aooMaxKm2, figures.occupancy?.maxKm2)
    }

    private mutating func set(_ column: RangeColumn, _ number: Double?) {
        guard let number, let decimals = column.decimals else { return }
        var bytes: [UInt8] = []
        DecimalDegrees.append(number, decimals: decimals, to: &bytes)
        values[column] = String(decoding: bytes, as: UTF8.self)
    }
}

/// The columns of an end.
private struct EndColumns {
    let latitude, sighting, mean, gamma, shape, scale, reference, cells, beyondData, outer5, outer10,
        truncated: RangeColumn

    init(_ end: RangeEnd) {
        switch end {
        case .south:
            (latitude, sighting, mean) = (.southLatitude, .southSightingID, .southMeanOf10Cells)
            (gamma, shape, scale) = (.southGamma95, .southGammaShape, .southGammaScale)
            (reference, cells) = (.southGammaReference, .southGammaCells)
            (beyondData, outer5, outer10, truncated) = (.southGammaBeyondData, .q05, .q10, .southTruncated)
        case .north:
            (latitude, sighting, mean) = (.northLatitude, .northSightingID, .northMeanOf10Cells)
            (gamma, shape, scale) = (.northGamma95, .northGammaShape, .northGammaScale)
            (reference, cells) = (.northGammaReference, .northGammaCells)
            (beyondData, outer5, outer10, truncated) = (.northGammaBeyondData, .q95, .q90, .northTruncated)
        }
    }
}
