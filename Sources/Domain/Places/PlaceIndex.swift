/// Finds a place's state, region and country in memory, inland in well under a microsecond.
///
/// A place lies in a state; or on an island listed by hand; or at sea within 50 km of the nearest state. Land abroad
/// has no state, however near one is. All other places have no state. An index always gives the same answer for a
/// place, which is why every answer has the version of the borders.
package struct PlaceIndex: Sendable {
    /// How far from the nearest state a place at sea may be, in metres along the geodesic.
    package static let reachMetres = 50_000.0
    /// The accuracy of the borders, in metres: a place this near to another state may lie in either.
    package static let borderMetres = 200.0
    /// A place at sea this near to land abroad, in metres, and nearer to it than to any state, lies at its shore.
    package static let shoreMetres = 1_000.0
    /// The nearest border is sought within these distances in turn, so that few edges beyond it are examined: a coast
    /// of fjords has thousands within 50 km.
    private static let reaches = [500, 2_000, 6_000, 15_000, 30_000, reachMetres]
    /// Distances that differ by less are equal.
    private static let sameMetres = 0.001

    /// The version of the borders and islands.
    package let version: PolygonSetCode
    /// The regions by code.
    package let regions: [RegionCode: Region]

    /// The states, in the order of their codes; number n is at index n - 1. Land abroad has higher numbers, the sea 0.
    private let states: [State]
    let network: BorderNetwork
    private let islands: [ListedIsland]

    struct State: Sendable {
        let code: StateCode
        let region: RegionCode?
    }

    /// Builds an index.
    /// - Parameters:
    ///   - borders: the borders of all states and of land abroad, each once.
    ///   - abroad: the codes of land abroad; all other codes of borders are states'.
    ///   - islands: islands that the borders lack.
    ///   - version: the code of all of these together.
    /// - Throws: ``PlaceIndexError`` when they do not fit together.
    package init(
        borders: [AreaBorder], abroad: Set<String>, regions: [Region], islands: [ListedIsland], version: PolygonSetCode
    ) throws(PlaceIndexError) {
        let codes = Set(borders.lazy.flatMap { [$0.left, $0.right] }.compactMap { $0 })
        let stateCodes = codes.subtracting(abroad)
        let regionOfState = try Self.regionOfState(regions, stateCodes)
        for island in islands {
            if let state = island.state, !stateCodes.contains(state.text) { throw .unknownState(island.name, state) }
        }
        let ordered = stateCodes.sorted() + codes.intersection(abroad).sorted()
        guard ordered.count <= AreaSet.most else { throw .tooManyAreas(ordered.count) }
        var states: [State] = []
        for text in stateCodes.sorted() {
            guard let code = try? StateCode(text) else { throw .malformedCode(text) }
            states.append(State(code: code, region: regionOfState[code]))
        }
        var numbers: [String: UInt8] = [:]
        for (index, code) in ordered.enumerated() { numbers[code] = UInt8(index + 1) }
        self.states = states
        self.regions = try Self.byCode(regions)
        self.islands = islands
        self.version = version
        network = BorderNetwork(Self.lines(of: borders, numbers))
    }

    /// Builds an index from polygons. Those of regions and countries are implied by those of their states.
    /// - Throws: ``PlaceIndexError`` when they do not fit together.
    package init(
        areas: [AdministrativeArea], regions: [Region], islands: [ListedIsland], version: PolygonSetCode
    ) throws(PlaceIndexError) {
        try Self.checkNoneRepeated(areas)
        for code in areas.filter({ $0.level == .region }).map(\.code).sorted() {
            guard regions.contains(where: { $0.code.text == code }) else { throw .unknownRegion(code) }
        }
        let land = areas.filter { $0.level == .state || $0.level == .abroad }
        try self.init(
            borders: AreaBorder.borders(of: land), abroad: Set(land.lazy.filter { $0.level == .abroad }.map(\.code)),
            regions: regions, islands: islands, version: version)
    }

    /// A region by its code.
    /// - Throws: ``RuleViolation`` for an unknown one.
    package func region(_ code: RegionCode) throws(RuleViolation) -> Region {
        guard let region = regions[code] else { throw .unknownRegion }
        return region
    }

    /// Finds the state, region and country of a place, and the coarsest cells around it that lie wholly within them.
    /// Cells are given only for places inside a state; the cell around any other place is not wholly within.
    package func locate(_ coordinate: Coordinate) -> Place {
        guard let point = GridPoint(coordinate) else { return Place(basis: .none, polygons: version) }
        if let area = network.areas(at: point).first {
            guard let state = state(area) else { return Place(basis: .none, polygons: version) }
            var place = Place(
                state: state.code, region: state.region, country: state.code.country, basis: .inside, polygons: version)
            (place.stateCell, place.regionCell, place.countryCell) = cells(around: point, in: state)
            markBorder(&place, coordinate)
            return place
        }
        if let island = islands.first(where: { $0.contains(coordinate) }) {
            guard let code = island.state else { return Place(basis: .none, polygons: version) }
            return Place(
                state: code, region: states.first { $0.code == code }?.region, country: code.country, basis: .listed,
                polygons: version)
        }
        return nearest(to: coordinate)
    }

    func state(_ area: Int) -> State? {
        area > 0 && area <= states.count ? states[area - 1] : nil
    }

    private func isState(_ area: UInt8) -> Bool { area > 0 && area <= states.count }

    /// At sea: the nearest state within reach; of equally near ones the first by code.
    private func nearest(to coordinate: Coordinate) -> Place {
        for reach in Self.reaches {
            let search = NearestPoint(to: coordinate, withinMetres: reach)
            let found = search.areas(in: network, nearestWhere: isState)
            let metres = found.lazy.filter { isState($0.area) }.map(\.metres).min()
            guard let metres else { continue }
            let equal = found.filter { isState($0.area) && $0.metres < metres + Self.sameMetres }
            let isAtShoreAbroad = found.contains {
                !isState($0.area) && $0.metres < min(metres - Self.sameMetres, Self.shoreMetres)
            }
            guard !isAtShoreAbroad, let state = equal.map({ Int($0.area) }).min().flatMap(state) else { break }
            var place = Place(
                state: state.code, region: state.region, country: state.code.country, basis: .nearest,
                distanceMetres: metres, polygons: version)
            markBorder(&place, coordinate)
            return place
        }
        return Place(basis: .none, polygons: version)
    }

    /// Sets the nearest other state within the accuracy of the borders. One of another region takes precedence, because
    /// it decides for which regions the place counts.
    private func markBorder(_ place: inout Place, _ coordinate: Coordinate) {
        let others = NearestPoint(to: coordinate, withinMetres: Self.borderMetres).areas(in: network)
            .compactMap { found in state(Int(found.area)).map { (state: $0, metres: found.metres) } }
            .filter { $0.state.code != place.state }
        let region = place.region
        let nearest = others.min { one, other in
            let (isOne, isOther) = (one.state.region != region, other.state.region != region)
            return isOne != isOther ? isOne : one.metres < other.metres
        }
        guard let nearest else { return }
        place.basis = .border
        place.distanceMetres = nil
        place.borderState = nearest.state.code
        place.borderRegion = nearest.state.region
    }

    /// The coarsest cells around a point that lie wholly within its state, its region and its country.
    private func cells(
        around point: GridPoint, in state: State
    ) -> (state: Place.Cell?, region: Place.Cell?, country: Place.Cell?) {
        var result: (state: Place.Cell?, region: Place.Cell?, country: Place.Cell?) = (nil, nil, nil)
        for decimals in Place.Cell.allCases where result.state == nil {
            let cell = GridCell(containing: point, decimals: decimals.rawValue)
            var (inState, inRegion, inCountry) = (true, true, true)
            network.forEachEdge(around: point) { edge in
                guard edge.enters(cell) else { return true }
                inState = false
                for side in [edge.sides.0, edge.sides.1] {
                    let other = self.state(Int(side))
                    if other == nil || other?.region != state.region { inRegion = false }
                    if other?.code.country != state.code.country { inCountry = false }
                }
                return inRegion || inCountry
            }
            if inState { result.state = decimals }
            if inRegion, result.region == nil { result.region = decimals }
            if inCountry, result.country == nil { result.country = decimals }
        }
        if state.region == nil { result.region = nil }
        return result
    }
}

extension PlaceIndex {
    private static func lines(of borders: [AreaBorder], _ numbers: [String: UInt8]) -> BorderLines {
        var lines = BorderLines()
        lines.reserve(points: borders.reduce(0) { $0 + $1.line.count })
        for border in borders {
            let sides = (border.left.flatMap { numbers[$0] } ?? 0, border.right.flatMap { numbers[$0] } ?? 0)
            lines.append(border.line.lazy.compactMap { GridPoint($0) }, sides: sides)
        }
        return lines
    }

    private static func checkNoneRepeated(_ areas: [AdministrativeArea]) throws(PlaceIndexError) {
        var seen: Set<String> = []
        for area in areas where !seen.insert("\(area.level) \(area.code)").inserted {
            throw .repeatedArea(area.code)
        }
    }

    private static func regionOfState(
        _ regions: [Region], _ states: Set<String>
    ) throws(PlaceIndexError) -> [StateCode: RegionCode] {
        var result: [StateCode: RegionCode] = [:]
        for region in regions {
            for state in region.members {
                guard states.contains(state.text) else { throw .unknownState(region.code.text, state) }
                guard result.updateValue(region.code, forKey: state) == nil else { throw .stateInTwoRegions(state) }
            }
        }
        return result
    }

    private static func byCode(_ regions: [Region]) throws(PlaceIndexError) -> [RegionCode: Region] {
        var result: [RegionCode: Region] = [:]
        for region in regions {
            guard result.updateValue(region, forKey: region.code) == nil else { throw .repeatedRegion(region.code) }
        }
        return result
    }
}

/// Why an index cannot be built from areas, regions and islands.
package enum PlaceIndexError: Error, Hashable, Sendable {
    /// A code does not have the form of its level.
    case malformedCode(String)
    /// Two areas of a level have the same code.
    case repeatedArea(String)
    /// Two regions have the same code.
    case repeatedRegion(RegionCode)
    /// A state is in two regions.
    case stateInTwoRegions(StateCode)
    /// A region has a member, or an island a state, that no area of level state has.
    case unknownState(String, StateCode)
    /// An area of level region that no region describes.
    case unknownRegion(String)
    /// More states and lands abroad than there are numbers for.
    case tooManyAreas(Int)
}
