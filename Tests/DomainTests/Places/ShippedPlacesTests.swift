import Foundation
import TestRandom
import Testing

@testable import Domain

struct ShippedPlacesTests {
    private static let shipped = Result { try ShippedPlaces.index() }
    private let index: PlaceIndex

    init() throws {
        index = try Self.shipped.get()
    }

    /// Name, latitude, longitude, state and basis.
    static let known: [(String, Double, Double, String?, Place.Basis)] = [
        ("Seattle", 47.606, -122.30, "US-WA", .inside), ("Toronto", 43.8, -79.4, "CA-ON", .inside),
        ("Washington", 38.9, -77.03, "US-DC", .inside), ("San Juan", 18.40, -66.06, "US-PR", .inside),
        ("Honolulu", 21.4, -157.95, "US-HI", .inside), ("Resolute", 74.70, -94.85, "CA-NU", .inside),
        ("Attu", 52.90, 172.91, "US-AK", .inside), ("Kiska", 51.98, 177.50, "US-AK", .inside),
        ("Gambell", 63.78, -171.74, "US-AK", .inside), ("St. Paul", 57.122, -170.28, "US-AK", .inside),
        ("Cape May", 38.933, -74.960, "US-NJ", .inside), ("Point Reyes", 37.996, -123.023, "US-CA", .nearest),
        ("Golden Gate", 37.8199, -122.4783, "US-CA", .nearest), ("Farallones", 37.699, -123.003, "US-CA", .inside),
        ("Dry Tortugas", 24.628, -82.873, "US-FL", .inside), ("Mona", 18.09, -67.89, "US-PR", .inside),
        ("Laysan", 25.77, -171.73, "US-HI", .listed), ("Sable Island", 43.93, -59.91, "CA-NS", .inside),
        ("Ottawa Islands", 59.40, -80.40, "CA-NU", .listed), ("Midway", 28.21, -177.37, nil, .none),
        ("Tijuana", 32.50, -117.00, nil, .none), ("Ciudad Juárez", 31.65, -106.45, nil, .none),
        ("St. Pierre", 46.78, -56.18, nil, .none), ("Charlotte Amalie", 18.34, -64.93, nil, .none),
        ("mid-Atlantic", 35, -45, nil, .none), ("London", 51.5, -0.12, nil, .none),
        ("Greenland", 78.5, -67.0, nil, .none),
    ]

    @Test(arguments: known)
    func `known places`(_ known: (name: String, Double, Double, state: String?, basis: Place.Basis)) {
        let found = index.locate(place(known.1, known.2))
        #expect(found.state?.text == known.state, "\(known.name)")
        #expect(found.basis == known.basis, "\(known.name)")
        #expect((found.distanceMetres != nil) == (known.basis == .nearest), "\(known.name)")
        #expect(found.country?.text == known.state.map { String($0.prefix(2)) }, "\(known.name)")
        #expect((found.region == nil) == (known.state == nil), "\(known.name)")
        #expect(found.polygons.text == "dcw-1m-v1")
    }

    @Test func `regions are those of the rules`() throws {
        let regions = index.regions
        #expect(regions.count == 14)
        #expect(regions.values.reduce(0) { $0 + $1.members.count } == 65)
        for region in regions.values {
            #expect(TimeZone(identifier: region.zone.text) != nil, "\(region.zone)")
        }
        #expect(regions[try RegionCode("pacific-northwest")]?.members.map(\.text) == ["US-WA", "US-OR", "CA-BC"])
        #expect(regions[try RegionCode("california")]?.zone.text == "America/Los_Angeles")
        #expect(index.locate(place(49.3, -123.0)).region?.text == "pacific-northwest")
    }

    @Test func `cells that are shown tell nothing false`() {
        var random = RandomSource(seed: 12)
        for _ in 0..<4_000 {
            let somewhere = place(.random(in: 25...60, using: &random), .random(in: -128...(-60), using: &random))
            let found = index.locate(somewhere)
            for (cell, same) in [
                (found.stateCell, \Place.state?.text), (found.regionCell, \Place.region?.text),
                (found.countryCell, \Place.country?.text),
            ] {
                guard let cell else { continue }
                let square = GridCell(containing: somewhere, decimals: cell.rawValue)
                for _ in 0..<8 {
                    let within = GridPoint(
                        x: square.southWest.x + .random(in: 0..<square.side, using: &random),
                        y: square.southWest.y + .random(in: 0..<square.side, using: &random))
                    #expect(index.locate(within.coordinate)[keyPath: same] == found[keyPath: same])
                }
            }
            #expect((found.stateCell?.rawValue ?? 4) >= (found.regionCell?.rawValue ?? 4))
            #expect((found.stateCell?.rawValue ?? 4) >= (found.countryCell?.rawValue ?? 4))
        }
    }

    @Test(.enabled(if: TestData.wrens != nil, "no test data: set SKEIN_TEST_DATA"))
    func `every wren has a state`() throws {
        let file = try #require(TestData.wrens)
        let places = try TestData.places(in: file)
        #expect(places.count == 5_480)
        var bases: [Place.Basis: Int] = [:]
        for coordinate in places {
            let found = index.locate(coordinate)
            #expect(found.state != nil && found.region != nil)
            #expect((found.distanceMetres ?? 0) < 3_500)
            bases[found.basis, default: 0] += 1
        }
        #expect(bases == [.inside: 5_460, .nearest: 19, .border: 1])
    }
}

/// Real records, where the machine has them.
enum TestData {
    static var wrens: URL? {
        let given = ProcessInfo.processInfo.environment["SKEIN_TEST_DATA"]
        let folder = given.map { URL(filePath: $0) } ?? ShippedPlaces.root.appending(path: "../shared/data")
        let file = folder.appending(path: "bbs_pacific_wren/occurrence.csv")
        return FileManager.default.fileExists(atPath: file.path()) ? file : nil
    }

    /// The coordinates of a table whose cells hold no quotes before its seventh and eighth column.
    static func places(in file: URL) throws -> [Coordinate] {
        let lines = try String(contentsOf: file, encoding: .utf8).split(whereSeparator: \.isNewline)
        let header = try #require(lines.first).split(separator: ",")
        let latitude = try #require(header.firstIndex(of: "decimalLatitude"))
        let longitude = try #require(header.firstIndex(of: "decimalLongitude"))
        return try lines.dropFirst().map { line in
            let cells = line.split(separator: ",", omittingEmptySubsequences: false)
            return place(try #require(Double(cells[latitude])), try #require(Double(cells[longitude])))
        }
    }
}
