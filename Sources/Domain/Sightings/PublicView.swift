/// What everyone may see of a sighting.
package struct PublicView: Hashable, Sendable {
    /// How much is shown besides the place.
    package enum Detail: Hashable, Sendable {
        /// Everything.
        case full
        /// No observer, notes, name as typed, position or `recordedAt`; the date to the month; a random public id.
        case guarded
        /// No record: only totals by taxon, country and year, from three up.
        case totalsOnly
    }

    /// How much is shown besides the place.
    package let detail: Detail
    /// Where; nil for no place.
    package let place: PublicPlace?
    /// When.
    package let observed: PublicTime

    /// Whether there is a public record at all.
    package var isRecord: Bool { detail != .totalsOnly }
    /// Whether the observer and the observer's words may be shown.
    package var showsObserver: Bool { detail == .full }
}

/// A place as everyone may see it.
package struct PublicPlace: Hashable, Sendable {
    /// The place, or the centre of the cell.
    package let coordinate: Coordinate
    /// Metres; of a cell never less than from its centre to its farthest corner, nor than the true uncertainty.
    package let uncertaintyMetres: Double?
    /// The decimals of the cell's degrees; nil for an exact place.
    package let decimals: Int?
    /// The state, if the whole cell lies in it.
    package let state: StateCode?
    /// The region, if the whole cell lies in it.
    package let region: RegionCode?
    /// The country, if the whole cell lies in it.
    package let country: CountryCode?

    /// Whether it is a cell.
    package var isGeneralised: Bool { decimals != nil }
}

/// A time as everyone may see it.
///
/// Where the place is hidden, so is what clocks said there: zones go by borders that a cell may straddle. An instant is
/// then told in UTC, and its date is that of the sun at the middle of the cell (15° of longitude an hour), or of UTC
/// where there is no place or only the month is told.
package struct PublicTime: Hashable, Sendable {
    /// What was said, or the month it was in.
    package let value: ObservationTime
    /// The first local date.
    package let localFrom: CivilDate
    /// The last local date.
    package let localTo: CivilDate

    /// Shows a time as it is, or no more of it than the month.
    /// - Parameter hours: those of the sun, east of UTC, where the place is hidden; nil where it is not.
    package init(_ observed: ObservedInterval, toTheMonth: Bool, sunHours hours: Int?) {
        var (value, from, to) = (observed.value, observed.localFrom, observed.localTo)
        if let hours, observed.precision == .instant {
            value = .instant(observed.from, offsetMinutes: 0)
            from = observed.from.date(offsetSeconds: hours * 3_600)
            to = from
        }
        let month = ObservationTime.month(year: from.year, month: from.month)
        if toTheMonth, observed.precision < .month, let days = month.days {
            (value, from, to) = (month, days.lowerBound, days.upperBound)
        }
        (self.value, localFrom, localTo) = (value, from, to)
    }
}
