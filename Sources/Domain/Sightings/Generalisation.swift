/// What of a sighting everyone may see: the rule of its sensitivity and of its observer's wish, whichever shows less.
///
/// | category | place | also |
/// |---|---|---|
/// | 1 | none | no record: only totals |
/// | 2 | cell of 0.1° | see ``PublicView/Detail/guarded`` |
/// | 3 | cell of 0.01° | |
/// | 4 | cell of 0.001° | |
///
/// `obscured` means a cell of 0.1°, `private` no place.
///
/// Answers are made by the SQL function `generalised` of the public read model. This is the same rule in Swift, and the
/// tests hold that function to it.
package struct Generalisation: Hashable, Sendable {
    /// How coarsely the place is shown; a greater value shows less.
    package enum Precision: Int, Comparable, Sendable {
        case exact, thousandth, hundredth, tenth, noPlace

        /// The decimals of the cell's degrees, nil for an exact place and for none.
        package var decimals: Int? {
            switch self {
            case .exact, .noPlace: nil
            case .thousandth: 3
            case .hundredth: 2
            case .tenth: 1
            }
        }

        /// Less is what shows more.
        package static func < (one: Self, other: Self) -> Bool {
            one.rawValue < other.rawValue
        }
    }

    /// How much of the rest is shown.
    package let detail: PublicView.Detail
    /// How coarsely the place is shown.
    package let precision: Precision

    /// Finds the rule.
    /// - Parameter sensitivity: the most sensitive category of all identifications the record has had.
    package init(sensitivity: SensitivityCategory?, geoprivacy: Geoprivacy?) {
        detail =
            switch sensitivity {
            case .one: .totalsOnly
            case .two: .guarded
            case .three, .four, nil: .full
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

    /// What everyone may see of a place and a time.
    package func view(
        coordinate: Coordinate, uncertainty: UncertaintyMetres?, place: Place, observed: ObservedInterval
    ) -> PublicView {
        let shown = publicPlace(coordinate, uncertainty, place)
        return PublicView(
            detail: detail, place: shown,
            observed: PublicTime(observed, toTheMonth: detail == .guarded, sunHours: sunHours(at: shown)))
    }

    private func sunHours(at place: PublicPlace?) -> Int? {
        guard precision != .exact else { return nil }
        // A month that was reckoned in two ways, as the place came and went, would tell the hour at its end.
        guard detail == .full else { return 0 }
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
        return PublicPlace(
            coordinate: cell.centre, uncertaintyMetres: max(cell.uncertaintyMetres, uncertainty?.value ?? 0),
            decimals: decimals, state: isShown(place.stateCell) ? place.state : nil,
            region: isShown(place.regionCell) ? place.region : nil,
            country: isShown(place.countryCell) ? place.country : nil)
    }
}
