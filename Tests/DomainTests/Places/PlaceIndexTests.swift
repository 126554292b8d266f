import Testing

@testable import Domain

struct PlaceIndexTests {
    private static func area(
        _ code: String, _ level: AdministrativeArea.Level, _ south: Double, _ west: Double, _ north: Double,
        _ east: Double
    ) -> AdministrativeArea {
        let ring = [place(south, west), place(south, east), place(north, east), place(north, west)]
        return AdministrativeArea(code: code, name: code, level: level, polygons: [[ring]])
    }

    /// Two states side by side with their region and country, one without a region beside them, one at the 180th
    /// meridian, and two of different countries that share a region.
    private static let areas = [
        area("US-AA", .state, 0, 0, 1, 1.05), area("US-BB", .state, 0, 1.05, 1, 2), area("north", .region, 0, 0, 1, 2),
        area("US", .country, 0, 0, 1, 2), area("CA-DD", .state, 0, 2, 1, 3), area("CA", .country, 0, 2, 1, 3),
        area("US-CC", .state, 10, 179.5, 11, 180), area("MX", .abroad, -1, 0, -0.0001, 3),
        area("XX-EE", .state, 30, 10, 30.975, 11), area("YY-FF", .state, 30.975, 10, 32, 11),
        area("both", .region, 30, 10, 32, 11), area("XX", .country, 30, 10, 30.975, 11),
        area("YY", .country, 30.975, 10, 32, 11),
    ]
    private static let regions = [
        region("north", ["US-AA", "US-BB"]), region("both", ["XX-EE", "YY-FF"]),
    ]

    private static func region(_ code: String, _ members: [String]) -> Region {
        Region(
            code: RegionCode(unchecked: code), name: code, zone: ZoneName(unchecked: "America/Chicago"),
            members: members.map { StateCode(unchecked: $0) })
    }

    private static let islands = [
        ListedIsland(
            name: "Far", state: StateCode(unchecked: "US-CC"), centre: place(20, -179.99), radiusMetres: 5_000),
        ListedIsland(name: "Foreign", state: nil, centre: place(1.2, 0.5), radiusMetres: 2_000),
    ]
    private let index: PlaceIndex

    init() throws {
        index = try PlaceIndex(
            areas: Self.areas, regions: Self.regions, islands: Self.islands,
            version: PolygonSetCode(unchecked: "test-v1"))
    }

    @Test func `a place inside has all three and the coarsest cells`() {
        let place = index.locate(place(0.55, 0.55))
        #expect(place.state?.text == "US-AA" && place.region?.text == "north" && place.country?.text == "US")
        #expect(place.basis == .inside && place.distanceMetres == nil && place.polygons.text == "test-v1")
        #expect(place.stateCell == .tenth && place.regionCell == .tenth && place.countryCell == .tenth)
    }

    @Test func `a cell across a state line is still within the region`() {
        let near = index.locate(place(0.55, 1.041))
        #expect(near.state?.text == "US-AA" && near.stateCell == .hundredth && near.regionCell == .tenth)
        let onLine = index.locate(place(0.55, 1.0500004))
        #expect(onLine.state?.text == "US-BB" && onLine.stateCell == .hundredth)
        #expect(index.locate(place(0.55, 1.96)).stateCell == .tenth)
    }

    @Test func `a region of two countries does not lie in either`() {
        let place = index.locate(place(30.96, 10.55))
        #expect(place.state?.text == "XX-EE" && place.country?.text == "XX")
        #expect(place.stateCell == .hundredth && place.regionCell == .tenth && place.countryCell == .hundredth)
    }

    @Test func `a state without region has none`() {
        let place = index.locate(place(0.5, 2.5))
        #expect(place.state?.text == "CA-DD" && place.region == nil && place.regionCell == nil)
        #expect(place.country?.text == "CA" && place.countryCell == .tenth)
    }

    @Test func `at sea the nearest within fifty kilometres counts`() {
        let near = index.locate(place(1.4, 1.5))
        #expect(near.state?.text == "US-BB" && near.basis == .nearest && near.region?.text == "north")
        #expect(abs((near.distanceMetres ?? 0) - geodesicMetres(place(1.4, 1.5), place(1, 1.5))) < 1)
        #expect(near.stateCell == nil && near.regionCell == nil && near.countryCell == nil)
        #expect(index.locate(place(1.46, 1.5)).basis == .none)
        #expect(index.locate(place(35, -45)) == Place(basis: .none, polygons: PolygonSetCode(unchecked: "test-v1")))
    }

    @Test func `equally near states are told apart by code`() {
        // Straight above the corner that both share.
        #expect(index.locate(place(1.2, 1.05)).state?.text == "US-AA")
        #expect(index.locate(place(1.2, 2)).state?.text == "CA-DD")
    }

    @Test func `near is measured across the 180th meridian`() {
        let place = index.locate(place(10.5, -179.9))
        #expect(place.state?.text == "US-CC" && place.basis == .nearest)
        #expect(abs((place.distanceMetres ?? 0) - 10_947) < 5)
        #expect(index.locate(Coordinate(uncheckedLatitude: 10.5, longitude: -180)).state?.text == "US-CC")
    }

    @Test func `listed islands come before the nearest`() {
        let listed = index.locate(place(20.01, 179.99))
        #expect(listed.state?.text == "US-CC" && listed.basis == .listed && listed.distanceMetres == nil)
        #expect(listed.country?.text == "US" && listed.stateCell == nil)
        let foreign = index.locate(place(1.2, 0.51))
        #expect(foreign.state == nil && foreign.basis == .none)
        #expect(index.locate(place(1.2, 0.6)).state?.text == "US-AA")
    }

    @Test func `land abroad has no state however near one is`() {
        for latitude in [-0.1, -0.005, -0.0002] {
            #expect(index.locate(place(latitude, 0.5)) == Place(basis: .none, polygons: index.version))
        }
        // At sea its shore is abroad, too; farther out the nearest state counts.
        #expect(index.locate(place(-0.1, -0.005)).basis == .none)
        #expect(index.locate(place(-0.1, -0.1)).state?.text == "US-AA")
        #expect(index.locate(place(0.0001, 0.5)).basis == .inside)
    }

    @Test func `near another state is at the border, on either side and at sea`() throws {
        // 0.0017 degrees are 189 m, 0.0019 are 211 m.
        let west = index.locate(place(0.55, 1.0483))
        #expect(west.state?.text == "US-AA" && west.basis == .border && west.distanceMetres == nil)
        #expect(west.borderState?.text == "US-BB" && west.borderRegion?.text == "north")
        #expect(west.stateCell != nil && west.regionCell == .tenth)
        #expect(index.locate(place(0.55, 1.0481)).basis == .inside)
        #expect(index.locate(place(0.55, 1.0481)).borderState == nil)
        let east = index.locate(place(0.55, 1.0517))
        #expect(east.state?.text == "US-BB" && east.basis == .border && east.borderState?.text == "US-AA")
        let sea = index.locate(place(1.001, 1.0505))
        #expect(sea.state?.text == "US-BB" && sea.basis == .border && sea.borderState?.text == "US-AA")
        // A border with the sea or with land abroad is none between states.
        #expect(index.locate(place(0.001, 0.5)).basis == .inside)
    }

    @Test func `of several states at a border one of another region comes first`() throws {
        let areas = [
            Self.area("US-AA", .state, 0, 0, 1, 1), Self.area("US-BB", .state, 0, 1, 1, 2),
            Self.area("US-CC", .state, 1, 0, 2, 2),
        ]
        let index = try PlaceIndex(
            areas: areas, regions: [Self.region("south", ["US-AA", "US-BB"]), Self.region("north", ["US-CC"])],
            islands: [], version: index.version)
        let place = index.locate(place(0.999, 0.9995))
        #expect(place.state?.text == "US-AA" && place.borderState?.text == "US-CC")
        #expect(place.borderRegion?.text == "north")
    }

    @Test func `what is not on earth is nowhere`() {
        for strange in [Double.nan, .infinity, 91, -1e300] {
            #expect(index.locate(place(strange, 0.5)).basis == .none)
            #expect(index.locate(place(0.5, strange * 2)).basis == .none)
        }
    }

    @Test func `reference data that does not fit is rejected`() {
        func error(_ areas: [AdministrativeArea], _ regions: [Region] = [], _ islands: [ListedIsland] = [])
            -> PlaceIndexError?
        {
            do {
                _ = try PlaceIndex(
                    areas: areas, regions: regions, islands: islands, version: PolygonSetCode(unchecked: "v"))
                return nil
            } catch {
                return error
            }
        }
        let aa = StateCode(unchecked: "US-AA")
        let other = Self.region("other", ["US-AA"])
        let island = ListedIsland(name: "I", state: StateCode(unchecked: "US-ZZ"), centre: place(1, 1), radiusMetres: 1)
        #expect(error(Self.areas + [Self.areas[0]], Self.regions) == .repeatedArea("US-AA"))
        #expect(error(Self.areas, Self.regions + [Self.region("north", [])]) == .repeatedRegion(Self.regions[0].code))
        #expect(error([Self.areas[0]], Self.regions) == .unknownState("north", StateCode(unchecked: "US-BB")))
        #expect(error(Self.areas, Self.regions + [other]) == .stateInTwoRegions(aa))
        #expect(error(Self.areas, []) == .unknownRegion("both"))
        #expect(error([], [], [island]) == .unknownState("I", StateCode(unchecked: "US-ZZ")))
        #expect(error([], []) == nil)
    }
}
