/// The figures of one end of a range, in degrees; nil where there is a reason in ``RangeFigures/missing``.
package struct EndFigures: Hashable, Sendable {
    package let extreme: ExtremeRecord?
    package let meanOf10Cells: Double?
    package let gamma95: GammaMargin?
    /// The latitude outside which 5 % of the occupied cells lie: `q05` of the south, `q95` of the north.
    package let outer5: Double?
    /// The same for 10 %: `q10` of the south, `q90` of the north.
    package let outer10: Double?
}

/// The extent of occurrence of a taxon.
package struct ExtentOfOccurrence: Hashable, Sendable {
    /// The area of the hull, nil with a reason.
    package let km2: Double?
    /// The hull's area, or that of occupancy where this is larger: what IUCN's criteria compare.
    package let iucnKm2: Double?
    package let reason: MissingReason?

    package init(_ area: Result<Double, MissingReason>, occupancyKm2: Double?) {
        switch area {
        case .success(let km2):
            (self.km2, reason) = (km2, nil)
            iucnKm2 = max(km2, occupancyKm2 ?? 0)
        case .failure(let reason):
            (km2, self.reason) = (nil, reason)
            // Too few points have an area of occupancy; an extent that cannot be computed may be larger than it.
            iucnKm2 = reason == .fewPoints ? occupancyKm2 : nil
        }
    }
}

/// The figures of a range in one region and period.
package struct RangeFigures: Hashable, Sendable {
    package let records: Int
    package let cells: Int
    package let south: EndFigures
    package let north: EndFigures
    package let q50: Double?
    package let centroid: Coordinate?
    /// The area of the hull of a region's records; nil for the whole taxon, which has an extent instead.
    package let hullKm2: Double?
    /// Only for the whole taxon.
    package let extent: ExtentOfOccurrence?
    package let occupancy: GridArea?
    /// The members that are nil: those of the south, of the north, and the others.
    package let missing: [MissingMember]

    /// - Parameters:
    ///   - records: those that count, in any order.
    ///   - occupied: their cells.
    ///   - references: of the gamma distributions, the same for all periods of an answer.
    ///   - isWholeTaxon: whether the records are not those of one region.
    package init(
        _ records: [RangeRecord], in occupied: OccupiedCells,
        references: (south: GammaReference?, north: GammaReference?), isWholeTaxon: Bool
    ) {
        let places = records.map(\.place)
        var noted = Noted()
        self.records = records.count
        cells = occupied.cells.count
        south = noted.figures(.south, records, occupied, references.south)
        north = noted.figures(.north, records, occupied, references.north)
        q50 = noted.value("q50", occupied.percentile(0.5))
        centroid = noted.value("centroid", Centroid.of(occupied.cells.map(\.centre)))
        let hull = RangeArea.km2(of: places)
        let area = GridArea.ofOccupancy(places)
        hullKm2 = isWholeTaxon ? nil : noted.value("hullKm2", hull)
        let extent = isWholeTaxon ? ExtentOfOccurrence(hull, occupancyKm2: (try? area.get())?.km2) : nil
        if let reason = extent?.reason { noted.missing.append(MissingMember(member: "eoo", reason: reason)) }
        self.extent = extent
        occupancy = noted.value("aoo", area)
        missing = noted.missing
    }
}

/// Collects the reasons of members that are nil.
private struct Noted {
    var missing: [MissingMember] = []

    mutating func value<Value>(_ member: String, _ result: Result<Value, MissingReason>) -> Value? {
        switch result {
        case .success(let value): return value
        case .failure(let reason):
            missing.append(MissingMember(member: member, reason: reason))
            return nil
        }
    }

    mutating func figures(
        _ end: RangeEnd, _ records: [RangeRecord], _ cells: OccupiedCells, _ reference: GammaReference?
    ) -> EndFigures {
        let name = end.rawValue
        let extreme: Result<ExtremeRecord, MissingReason> =
            ExtremeRecord(of: records, end).map { .success($0) } ?? .failure(.noRecords)
        let gamma: Result<GammaMargin, MissingReason> =
            reference.map { GammaMargin.fit(cells, end, from: $0) } ?? .failure(.noRecords)
        let (outer5, outer10) = end == .south ? (("q05", 0.05), ("q10", 0.1)) : (("q95", 0.95), ("q90", 0.9))
        return EndFigures(
            extreme: value("\(name).extreme", extreme),
            meanOf10Cells: value("\(name).meanOf10Cells", cells.meanOfTen(end)),
            gamma95: value("\(name).gamma95", gamma),
            outer5: value("\(name).\(outer5.0)", cells.percentile(outer5.1)),
            outer10: value("\(name).\(outer10.0)", cells.percentile(outer10.1)))
    }
}
