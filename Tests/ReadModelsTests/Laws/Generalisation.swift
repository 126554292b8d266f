import Domain

/// The public values of a sighting: the coarser of its category and the observer's geoprivacy.
///
/// | category | place | also |
/// |---|---|---|
/// | 1 | none | no record: only totals |
/// | 2 | cell of 0.1° | see ``PublicView/Detail/guarded`` |
/// | 3 | cell of 0.01° | the day |
/// | 4 | cell of 0.001° | |
///
/// `obscured` means a cell of 0.1° and the day, `private` no place and what category 2 means.
///
/// The SQL function `generalised` of the public read model decides for the service. This is the same rule a second
/// time, as its oracle.
struct Generalisation: Hashable, Sendable {
    /// How coarsely the place is shown; a greater value shows less.
    enum Precision: Int, Comparable, Sendable {
        case exact, thousandth, hundredth, tenth, noPlace

        /// The decimals of the cell's degrees, nil for an exact place and for none.
        var decimals: Int? {
            switch self {
            case .exact, .noPlace: nil
            case .thousandth: 3
            case .hundredth: 2
            case .tenth: 1
            }
        }

        /// Less is what shows more.
        static func < (one: Self, other: Self) -> Bool {
            one.rawValue < other.rawValue
        }
    }

    /// How much of the rest is shown.
    let detail: PublicView.Detail
    /// How coarsely the place is shown.
    let precision: Precision

    /// Finds the rule.
    /// - Parameter sensitivity: the most sensitive category of all identifications the record has had.
    init(sensitivity: SensitivityCategory?, geoprivacy: Geoprivacy?) {
        detail =
            switch (sensitivity, geoprivacy) {
            case (.one, _): .totalsOnly
            case (.two, _), (_, .private): .guarded
            case (.three, _), (_, .obscured): .day
            default: .full
            }
        precision = max(Self.precision(of: sensitivity), Self.precision(of: geoprivacy))
    }

    private static func precision(of sensitivity: SensitivityCategory?) -> Precision {
        switch sensitivity {
        case .one: .noPlace
        case .two: .tenth
        case .three: .hundredth
        case .four: .thousandth
        case nil: .exact
        }
    }

    private static func precision(of geoprivacy: Geoprivacy?) -> Precision {
        switch geoprivacy {
        case .private: .noPlace
        case .obscured: .tenth
        case .open, nil: .exact
        }
    }

    /// The public values of a place and a time.
    func view(
        coordinate: Coordinate, uncertainty: UncertaintyMetres?, place: Place, observed: ObservedInterval
    ) -> PublicView {
        let shown = publicPlace(coordinate, uncertainty, place)
        return PublicView(
            detail: detail, place: shown,
            observed: PublicTime(observed, detail, sunHours: sunHours(at: shown)))
    }

    private func sunHours(at place: PublicPlace?) -> Int? {
        guard precision != .exact else { return nil }
        // A month computed in two ways, with and without a place, would reveal the hour at its end.
        guard detail == .full || detail == .day else { return 0 }
        return place.map { Int(($0.coordinate.longitude / 15).rounded()) } ?? 0
    }

    private func publicPlace(
        _ coordinate: Coordinate, _ uncertainty: UncertaintyMetres?, _ place: Place
    ) -> PublicPlace? {
        guard detail != .totalsOnly, precision != .noPlace else { return nil }
        guard let decimals = precision.decimals else {
            return PublicPlace(
                coordinate: coordinate, uncertaintyMetres: uncertainty?.value, decimals: nil, state: place.state,
                region: place.region, country: place.country)
        }
        func isShown(_ coarsest: Place.Cell?) -> Bool {
            // A cell lies within an area when the coarsest one that does is no finer than it.
            coarsest.map { $0.rawValue <= decimals } ?? false
        }
        let cell = GridCell(containing: coordinate, decimals: decimals)
        let own = detail == .guarded ? nil : uncertainty?.value
        return PublicPlace(
            coordinate: cell.centre, uncertaintyMetres: max(cell.uncertaintyMetres, own ?? 0),
            decimals: decimals, state: isShown(place.stateCell) ? place.state : nil,
            region: isShown(place.regionCell) ? place.region : nil,
            country: isShown(place.countryCell) ? place.country : nil)
    }
}

/// The public values of a sighting.
struct PublicView: Hashable, Sendable {
    /// How much is shown besides the place.
    enum Detail: Hashable, Sendable {
        /// Everything.
        case full
        /// The day without the time of day.
        case day
        /// No observer, notes, name as typed, confidence, protocol, position or `recordedAt`; the count as a range, the
        /// uncertainty of the cell, the date to the month; a random public id.
        case guarded
        /// No record: only totals by taxon, country and year, from three up.
        case totalsOnly
    }

    /// How much is shown besides the place.
    let detail: Detail
    /// The public place; nil for none.
    let place: PublicPlace?
    let observed: PublicTime

    /// Whether there is a public record at all.
    var isRecord: Bool { detail != .totalsOnly }
    /// Whether the observer and the observer's words may be shown.
    var showsObserver: Bool { detail == .full || detail == .day }
}

/// A place as everyone may see it.
struct PublicPlace: Hashable, Sendable {
    /// The place, or the centre of the cell.
    let coordinate: Coordinate
    /// Metres; of a cell never less than from its centre to its farthest corner, nor, unless guarded, than the true
    /// uncertainty.
    let uncertaintyMetres: Double?
    /// The decimals of the cell's degrees; nil for an exact place.
    let decimals: Int?
    /// The state, if the whole cell lies in it.
    let state: StateCode?
    /// The region, if the whole cell lies in it.
    let region: RegionCode?
    /// The country, if the whole cell lies in it.
    let country: CountryCode?

    /// Whether it is a cell.
    var isGeneralised: Bool { decimals != nil }
}

/// A time as everyone may see it.
///
/// If the place is hidden, so is its local time: zones follow borders that a cell may straddle. An instant is
/// then shown in UTC, and its date is in solar time at the middle of the cell (15° of longitude an hour), or in UTC
/// if there is no place or only the month is shown.
struct PublicTime: Hashable, Sendable {
    /// The time as submitted, or its month.
    let value: ObservationTime
    /// The first local date.
    let localFrom: CivilDate
    /// The last local date.
    let localTo: CivilDate

    /// Shows a time as it is, or no more of it than the day or the month.
    /// - Parameter hours: those of the sun, east of UTC, where the place is hidden; nil where it is not.
    init(_ observed: ObservedInterval, _ detail: PublicView.Detail, sunHours hours: Int?) {
        var (value, from, to) = (observed.value, observed.localFrom, observed.localTo)
        if let hours, observed.precision == .instant {
            value = .instant(observed.from, offsetMinutes: 0)
            from = observed.from.date(offsetSeconds: hours * 3_600)
            to = from
            if detail == .day { value = .day(from) }
        }
        let month = ObservationTime.month(year: from.year, month: from.month)
        if detail == .guarded, observed.precision < .month, let days = month.days {
            (value, from, to) = (month, days.lowerBound, days.upperBound)
        }
        (self.value, localFrom, localTo) = (value, from, to)
    }
}
