package import Domain
import Exchange

/// The shipped states, regions and islands: `places.geojson`, `regions.tsv`, `islands.tsv` and `version` in one folder.
package struct ReferencePlaces: Sendable {
    /// A state, province or territory with its English name.
    package struct State: Sendable, Hashable {
        /// The code in sightings, such as "US-WA".
        package let code: StateCode
        package let name: String
    }

    /// Finds the place of a coordinate.
    package let index: PlaceIndex
    /// The regions in the order of their file.
    package let regions: [Region]
    /// Every state by its code, such as "US-WA".
    package let states: [StateCode: State]

    /// Reads a folder.
    /// - Throws: what reading the files throws; ``ImportError/malformed(file:line:reason:)``; `PlaceIndexError`.
    package init(folder: String) throws {
        let areas = try Self.areas(folder + "/places.geojson")
        regions = try TableFile(folder + "/regions.tsv", columns: ["code", "name", "zone", "members"]).map { row in
            Region(
                code: try RegionCode(row["code"]), name: row["name"], zone: try ZoneName(row["zone"]),
                members: try row["members"].split(separator: ",").map { try StateCode(String($0)) })
        }
        let columns = ["name", "code", "latitude", "longitude", "radiusKm"]
        let islands = try TableFile(folder + "/islands.tsv", columns: columns).map { row in
            ListedIsland(
                name: row["name"], state: row["code"].isEmpty ? nil : try StateCode(row["code"]),
                centre: try Coordinate(
                    latitude: try row.number("latitude"), longitude: try row.number("longitude")),
                radiusMetres: try row.number("radiusKm") * 1000)
        }
        index = try PlaceIndex(areas: areas, regions: regions, islands: islands, version: try Self.version(folder))
        var states: [StateCode: State] = [:]
        for area in areas where area.level == .state {
            let code = try StateCode(area.code)
            states[code] = State(code: code, name: area.name)
        }
        self.states = states
    }

    private static func version(_ folder: String) throws -> PolygonSetCode {
        let text = String(decoding: try FileByteSource(path: folder + "/version").readBytes(upTo: 1000), as: UTF8.self)
        return try PolygonSetCode(String(text.prefix { !$0.isWhitespace }))
    }

    private static func areas(_ path: String) throws -> [AdministrativeArea] {
        let document = try FileByteSource(path: path).readBytes(upTo: 256 << 20)
        return try GeoJSONReader.areas(in: document).enumerated().map { number, area in
            guard let level = area.properties["level"].flatMap(AdministrativeArea.Level.init(rawValue:)),
                let code = area.properties["code"], let name = area.properties["name"]
            else { throw ImportError.malformed(file: path, line: number + 2, reason: "level, code or name is missing") }
            let polygons = area.polygons.map { polygon in
                polygon.map { ring in
                    ring.map { Coordinate(uncheckedLatitude: $0.latitude, longitude: $0.longitude) }
                }
            }
            return AdministrativeArea(code: code, name: name, level: level, polygons: polygons)
        }
    }
}
