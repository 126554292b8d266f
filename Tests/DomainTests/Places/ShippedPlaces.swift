import Foundation
import Testing

@testable import Domain

/// The files of `share/places`, read in the plainest way.
enum ShippedPlaces {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    static let folder = root.appending(path: "share/places")

    static func index() throws -> PlaceIndex {
        let abroad = try rows("areas.tsv").filter { $0[2] == "abroad" }.map { $0[0] }
        return try PlaceIndex(
            borders: borders(), abroad: Set(abroad), regions: regions(), islands: islands(), version: version())
    }

    static func borders() throws -> [AreaBorder] {
        try rows("borders.tsv").map { row in
            AreaBorder(
                left: row[0].isEmpty ? nil : row[0], right: row[1].isEmpty ? nil : row[1],
                line: try #require(EncodedPolyline.coordinates(row[2].utf8)))
        }
    }

    static func regions() throws -> [Region] {
        try rows("regions.tsv").map { row in
            Region(
                code: try RegionCode(row[0]), name: row[1], zone: try ZoneName(row[2]),
                members: try row[3].split(separator: ",").map { try StateCode(String($0)) })
        }
    }

    static func islands() throws -> [ListedIsland] {
        try rows("islands.tsv").map { row in
            ListedIsland(
                name: row[0], state: row[1].isEmpty ? nil : try StateCode(row[1]),
                centre: place(try #require(Double(row[2])), try #require(Double(row[3]))),
                radiusMetres: try #require(Double(row[4])) * 1000)
        }
    }

    static func version() throws -> PolygonSetCode {
        let text = try String(contentsOf: folder.appending(path: "version"), encoding: .utf8)
        return try PolygonSetCode(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    private static func rows(_ name: String) throws -> [[String]] {
        let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        return text.split(separator: "\n").dropFirst().map { line in
            line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
    }
}
