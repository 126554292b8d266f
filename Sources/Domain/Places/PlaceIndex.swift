/// Finds a place's state, region and country in memory, inland in well under a microsecond.
///
/// A place lies in a state's polygon; or on an island listed by hand; or within 50 km of the nearest polygon, unless it
/// is on land abroad. All other places, at sea and abroad, have no state. An index always gives the same answer, which
/// is why every answer carries the version of the polygons.
package struct PlaceIndex: Sendable {
    /// How far from the nearest polygon a place may be, in metres along the geodesic.
    package static let reachMetres = 50_000.0
    /// A place on land abroad within this many metres of a state counts as being in it, because borders are drawn
    /// coarsely.
    package static let borderMetres = 1_000.0

    /// The version of the polygons and islands.
    package let version: PolygonSetCode
    /// The regions by code.
    package let regions: [RegionCode: Region]

    private let states: [State]
    private let tiles: TileTable
    private let islands: [ListedIsland]
    private let abroad: [AreaOutline]

    /// A class: every look-up visits all states, and copying a struct would retain and release each of its arrays.
    private final class State: Sendable {
        let code: StateCode
        let outline: AreaOutline
        let region: RegionCode?
        let regionOutline: AreaOutline?
        let countryOutline: AreaOutline?

        init(
            code: StateCode, outline: AreaOutline, region: RegionCode?, regionOutline: AreaOutline?,
            countryOutline: AreaOutline?
        ) {
            self.code = code
            self.outline = outline
            self.region = region
            self.regionOutline = regionOutline
            self.countryOutline = countryOutline
        }
    }

    /// Builds an index.
    /// - Parameters:
    ///   - areas: the areas of all levels; only those of level state are required.
    ///   - islands: islands that the states' polygons lack.
    ///   - version: the code of all of these together.
    /// - Throws: ``PlaceIndexError`` when they do not fit together.
    package init(
        areas: [AdministrativeArea], regions: [Region], islands: [ListedIsland], version: PolygonSetCode
    ) throws(PlaceIndexError) {
        try Self.checkNoneRepeated(areas)
        let codes = Set(areas.lazy.filter { $0.level == .state }.map(\.code))
        let regionOfState = try Self.regionOfState(regions, codes)
        for island in islands {
            if let state = island.state, !codes.contains(state.text) { throw .unknownState(island.name, state) }
        }
        let regionOutlines: [RegionCode: AreaOutline] = try Self.outlines(of: areas, at: .region)
        let countryOutlines: [CountryCode: AreaOutline] = try Self.outlines(of: areas, at: .country)
        let stateOutlines: [StateCode: AreaOutline] = try Self.outlines(of: areas, at: .state)
        for code in regionOutlines.keys.sorted(by: { $0.text < $1.text })
        where !regions.contains(where: { $0.code == code }) {
            throw .unknownRegion(code.text)
        }
        states = stateOutlines.sorted { $0.key.text < $1.key.text }.map { code, outline in
            let region = regionOfState[code]
            return State(
                code: code, outline: outline, region: region, regionOutline: region.flatMap { regionOutlines[$0] },
                countryOutline: countryOutlines[code.country])
        }
        tiles = TileTable(states.map(\.outline))
        abroad = areas.filter { $0.level == .abroad }.map { AreaOutline($0.polygons) }
        self.regions = try Self.byCode(regions)
        self.islands = islands
        self.version = version
    }

    /// A region by its code.
    /// - Throws: ``RuleViolation`` for an unknown one.
    package func region(_ code: RegionCode) throws(RuleViolation) -> Region {
        guard let region = regions[code] else { throw .unknownRegion }
        return region
    }

    /// Finds the state, region and country of a place, and the coarsest cells around it that lie wholly within them.
    /// Cells are given only for places inside a polygon; the cell around any other place is not wholly within.
    package func locate(_ coordinate: Coordinate) -> Place {
        guard let point = GridPoint(coordinate) else { return Place(basis: .none, polygons: version) }
        if let state = state(at: point) { return inside(state, at: point) }
        if let island = islands.first(where: { $0.contains(coordinate) }) {
            guard let state = island.state else { return Place(basis: .none, polygons: version) }
            return Place(
                state: state, region: states.first { $0.code == state }?.region, country: state.country,
                basis: .listed, polygons: version)
        }
        guard let (state, metres) = nearest(to: coordinate, at: point) else {
            return Place(basis: .none, polygons: version)
        }
        return Place(
            state: state.code, region: state.region, country: state.code.country, basis: .nearest,
            distanceMetres: metres, polygons: version)
    }

    private func state(at point: GridPoint) -> State? {
        for number in tiles.candidates(at: point) where states[Int(number)].outline.contains(point) {
            return states[Int(number)]
        }
        return nil
    }

    /// The nearest state within reach; of equally near ones the first by code.
    private func nearest(to coordinate: Coordinate, at point: GridPoint) -> (state: State, metres: Double)? {
        var search = NearestPoint(to: coordinate, withinMetres: Self.reachMetres)
        var best: (state: State, metres: Double)?
        for state in states {
            guard let metres = search.distance(to: state.outline), metres < best?.metres ?? .infinity else { continue }
            best = (state, metres)
            search = NearestPoint(to: coordinate, withinMetres: metres)
        }
        guard let best else { return nil }
        let isAbroad = best.metres > Self.borderMetres && abroad.contains { $0.contains(point) }
        return isAbroad ? nil : best
    }

    private func inside(_ state: State, at point: GridPoint) -> Place {
        let inState = Self.coarsestCell(around: point, within: state.outline, below: nil)
        // A state lies within its region and its country, and so does what lies within the state. But a region may lie
        // in two countries.
        let inRegion = Self.coarsestCell(around: point, within: state.regionOutline, below: inState)
        let inCountry = Self.coarsestCell(around: point, within: state.countryOutline, below: inState)
        return Place(
            state: state.code, region: state.region, country: state.code.country, basis: .inside, polygons: version,
            stateCell: inState, regionCell: state.region == nil ? nil : inRegion, countryCell: inCountry)
    }

    /// The coarsest cell that lies wholly within an outline, when a finer one is known to, or none.
    private static func coarsestCell(
        around point: GridPoint, within outline: AreaOutline?, below known: Place.Cell?
    ) -> Place.Cell? {
        guard let outline else { return known }
        for cell in Place.Cell.allCases {
            if cell == known { return known }
            if outline.contains(GridCell(containing: point, decimals: cell.rawValue)) { return cell }
        }
        return nil
    }
}

extension PlaceIndex {
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

    private static func outlines<C: Code>(
        of areas: [AdministrativeArea], at level: AdministrativeArea.Level
    ) throws(PlaceIndexError) -> [C: AreaOutline] {
        var result: [C: AreaOutline] = [:]
        for area in areas where area.level == level {
            guard let code = try? C(area.code) else { throw .malformedCode(area.code) }
            result[code] = AreaOutline(area.polygons)
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
}

/// Which outlines have a part in each square degree, so that a point is compared with two or three of them.
struct TileTable: Sendable {
    private static let columns = 360
    private static let rows = 180
    /// Where each tile's outlines start in `outlines`; one more than there are tiles.
    private let starts: [Int32]
    private let outlines: [Int32]

    /// Sorts outlines into tiles.
    init(_ areas: [AreaOutline]) {
        var tiles = [[Int32]](repeating: [], count: Self.columns * Self.rows)
        for (number, area) in areas.enumerated() {
            for box in area.boxes {
                for row in Self.row(box.south)...Self.row(box.north) {
                    for column in Self.column(box.west)...Self.column(box.east) {
                        let tile = row * Self.columns + column
                        if tiles[tile].last != Int32(number) { tiles[tile].append(Int32(number)) }
                    }
                }
            }
        }
        outlines = tiles.flatMap { $0 }
        starts = tiles.reduce(into: [0]) { $0.append($0[$0.count - 1] + Int32($1.count)) }
    }

    /// The numbers of the outlines that have a part in the tile of a point, ascending.
    func candidates(at point: GridPoint) -> ArraySlice<Int32> {
        let tile = Self.row(point.y) * Self.columns + Self.column(point.x)
        return outlines[Int(starts[tile])..<Int(starts[tile + 1])]
    }

    private static func row(_ y: Int) -> Int {
        min(rows - 1, max(0, y.dividedDown(by: GridPoint.perDegree) + rows / 2))
    }

    private static func column(_ x: Int) -> Int {
        min(columns - 1, max(0, x.dividedDown(by: GridPoint.perDegree) + columns / 2))
    }
}
