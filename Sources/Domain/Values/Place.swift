package import JSON

/// The state, region and country of a sighting's place, as its event records them.
package struct Place: PayloadObject, Hashable {
    /// How a state was found.
    package enum Basis: String, Vocabulary {
        /// The place lies in its polygon.
        case inside
        /// Its polygon is the nearest, within reach.
        case nearest
        /// As `inside` or `nearest`, but so near to another state, `borderState`, that the place may lie in either.
        case border
        /// The place is one of those listed by hand, because the polygons lack it.
        case listed
        /// There is no state: at sea or abroad.
        case none
    }

    /// The coarsest cell around a place that lies wholly within an area, as the decimals of its degrees.
    package enum Cell: Int, CaseIterable, Sendable, PayloadValue {
        /// 0.1°.
        case tenth = 1
        /// 0.01°.
        case hundredth = 2
        /// 0.001°.
        case thousandth = 3

        /// - Throws: ``RuleViolation`` naming the rule that the value breaks.
        package init(payload: JSONValue) throws(RuleViolation) {
            guard let cell = payload.integer.flatMap(Self.init(rawValue:)) else { throw .wholeNumber(1...3) }
            self = cell
        }

        package func write(to writer: inout PayloadWriter) {
            writer.integer(rawValue)
        }
    }

    /// The state, province or territory.
    package var state: StateCode?
    /// The region that the state belongs to.
    package var region: RegionCode?
    package var country: CountryCode?
    /// How the state was found.
    package var basis: Basis
    /// Metres to the nearest polygon, if the basis is `nearest`.
    package var distanceMetres: Double?
    /// For `border`: the nearest state of another region, otherwise the nearest other state.
    package var borderState: StateCode?
    /// The region of `borderState`; may be the place's own.
    package var borderRegion: RegionCode?
    /// The polygons that were used.
    package var polygons: PolygonSetCode
    /// The coarsest cell wholly within the state; nil when not even 0.001° is.
    package var stateCell: Cell?
    /// The coarsest cell wholly within the region.
    package var regionCell: Cell?
    /// The coarsest cell wholly within the country.
    package var countryCell: Cell?

    static let shape = Shape<Self>(
        Self.init,
        .optional("state", \.state),
        .optional("region", \.region),
        .optional("country", \.country),
        .required("basis", \.basis),
        .number("distanceMetres", ifPresent: \.distanceMetres),
        .optional("borderState", \.borderState),
        .optional("borderRegion", \.borderRegion),
        .required("polygons", \.polygons),
        .optional("stateCell", \.stateCell),
        .optional("regionCell", \.regionCell),
        .optional("countryCell", \.countryCell))

    package init(
        state: StateCode? = nil, region: RegionCode? = nil, country: CountryCode? = nil, basis: Basis,
        distanceMetres: Double? = nil, borderState: StateCode? = nil, borderRegion: RegionCode? = nil,
        polygons: PolygonSetCode, stateCell: Cell? = nil, regionCell: Cell? = nil, countryCell: Cell? = nil
    ) {
        self.state = state
        self.region = region
        self.country = country
        self.basis = basis
        self.distanceMetres = distanceMetres.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
        self.borderState = borderState
        self.borderRegion = borderRegion
        self.polygons = polygons
        self.stateCell = stateCell
        self.regionCell = regionCell
        self.countryCell = countryCell
    }
}
