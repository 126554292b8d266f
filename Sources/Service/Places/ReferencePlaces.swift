package import Domain
import Exchange
import Foundation

/// The states, regions and islands of one folder: `regions.tsv`, `islands.tsv`, `version`, and either `areas.tsv` with
/// `borders.tsv`, or, as in the first version, `places.geojson`.
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
    /// - Throws: what reading the files throws; ``TableFault/malformed(file:line:reason:)``; `PlaceIndexError`.
    package init(folder: String) throws {
        regions = try TableFile(folder + "/regions.tsv", columns: ["code", "name", "zone", "members"]).map { row in
            Region(
                code: try RegionCode(row["code"]), name: row["name"], zone: try ZoneName(row["zone"]),
                members: try row["members"].split(separator: ",").map { try StateCode(String($0)) })
        }
        let islands = try Self.islands(folder)
        let version = try Self.version(folder)
        let names: [(code: String, name: String)]
        if FileManager.default.fileExists(atPath: folder + "/borders.tsv") {
            let areas = try Self.namedAreas(folder)
            names = areas.filter { $0.level == .state }.map { ($0.code, $0.name) }
            index = try PlaceIndex(
                borders: try Self.borders(folder), abroad: Set(areas.filter { $0.level == .abroad }.map(\.code)),
                regions: regions, islands: islands, version: version)
        } else {
            let areas = try Self.areas(folder + "/places.geojson")
            names = areas.filter { $0.level == .state }.map { ($0.code, $0.name) }
            index = try PlaceIndex(areas: areas, regions: regions, islands: islands, version: version)
        }
        var states: [StateCode: State] = [:]
        for (text, name) in names {
            let code = try StateCode(text)
            states[code] = State(code: code, name: name)
        }
        self.states = states
    }

    private static func islands(_ folder: String) throws -> [ListedIsland] {
        let columns = ["name", "code", "latitude", "longitude", "radiusKm"]
        return try TableFile(folder + "/islands.tsv", columns: columns).map { row in
            ListedIsland(
                name: row["name"], state: row["code"].isEmpty ? nil : try StateCode(row["code"]),
                centre: try Coordinate(
                    latitude: try row.number("latitude"), longitude: try row.number("longitude")),
                radiusMetres: try row.number("radiusKm") * 1000)
        }
    }

    private static func namedAreas(
        _ folder: String
    ) throws -> [(code: String, name: String, level: AdministrativeArea.Level)] {
        try TableFile(folder + "/areas.tsv", columns: ["code", "name", "level"]).map { row in
            guard let level = AdministrativeArea.Level(rawValue: row["level"]) else {
                throw row.malformed("level must be state or abroad")
            }
            return (row["code"], row["name"], level)
        }
    }

    /// Three columns without quoting: `left`, `right` and an encoded polyline, which may be far longer than a cell that
    /// a ``TableFile`` reads, and hold any sign that separates columns elsewhere.
    private static func borders(_ folder: String) throws -> [AreaBorder] {
        let path = folder + "/borders.tsv"
        let bytes = try FileByteSource(path: path).readBytes(upTo: 64 << 20)
        let rows = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
        return try rows.enumerated().dropFirst().map { number, row in
            let cells = row.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
            guard cells.count == 3, let line = EncodedPolyline.coordinates(cells[2]) else {
                throw TableFault.malformed(
                    file: path, line: number + 1, reason: "left, right and an encoded polyline are expected")
            }
            let codes = cells.prefix(2).map { String(decoding: $0, as: UTF8.self) }
            return AreaBorder(left: codes[0].nonEmpty, right: codes[1].nonEmpty, line: line)
        }
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
            else { throw TableFault.malformed(file: path, line: number + 2, reason: "level, code or name is missing") }
            let polygons = area.polygons.map { polygon in
                polygon.map { ring in
                    ring.map { Coordinate(uncheckedLatitude: $0.latitude, longitude: $0.longitude) }
                }
            }
            return AdministrativeArea(code: code, name: name, level: level, polygons: polygons)
        }
    }
}
