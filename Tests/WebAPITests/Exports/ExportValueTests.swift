import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import TestSupport
import Testing

@testable import Exchange
@testable import Service
@testable import Web

/// Every value of an export that the single record has, too, is the same in both.
struct ExportValueTests {
    /// Where the imported records of sensitive species were made: no export may tell it.
    private static let secret = "Hollow-Tree"
    private static let open = "Open-Field"

    /// The members of `GET /v1/sightings/{id}` that have the values of columns.
    fileprivate static let members: [OccurrenceColumn: String] = [
        .scientificName: "taxon.scientificName", .vernacularName: "taxon.commonName", .taxonID: "taxon.id",
        .verbatimIdentification: "verbatimName", .identificationVerificationStatus: "status", .eventDate: "observedAt",
        .individualCount: "count", .organismQuantity: "countRange",
        .decimalLatitude: "latitude", .decimalLongitude: "longitude",
        .coordinateUncertaintyInMeters: "uncertaintyMetres", .coordinatePrecision: "coordinatePrecision",
        .countryCode: "country", .stateProvince: "state", .higherGeography: "region",
        .samplingProtocol: "protocol", .occurrenceRemarks: "notes", .recordedBy: "observer.displayName",
        .recordedByID: "observer.id", .datasetID: "dataset.id", .datasetName: "dataset.title",
    ]

    private struct Scene {
        let served: ServedRoutes
        /// A month later, so that guarded records are shown.
        let day = Instant.now.date().adding(days: 35)

        /// Records that are exact, generalised in each way, corrected and imported.
        init(_ served: ServedRoutes) async throws {
            self.served = served
            try await served.importSensitiveTaxa(more: [])
            let birder = try await Caller.register(served)
            let moderator = try await Caller.register(served, role: .moderator)
            let bodies = [
                Caller.sighting(more: #","notes":"by the gate","protocol":"stationary","uncertaintyMetres":30"#),
                Caller.sighting(more: #","geoprivacy":"obscured","notes":"by the gate""#),
                Caller.sighting(more: #","geoprivacy":"private","notes":"by the gate""#),
                Caller.sighting("Spotted Owl"), Caller.sighting("Northern Goshawk", more: #","captive":true"#),
                Caller.sighting("Great Gray Owl", more: #","licence":"CC0-1.0""#), Caller.sighting("Song Sparrow"),
            ]
            for (index, body) in bodies.enumerated() {
                let id = try #require(try await birder.submit(body).text("id"))
                if index == bodies.count - 1 {
                    let corrected = try await birder.send(
                        .patch, "/v1/me/findings/\(id)", headers: [.ifMatch: "*"],
                        json: #"{"count":5,"latitude":47.61,"notes":null}"#)
                    try #require(corrected.status == .ok, "\(String(buffer: corrected.body))")
                }
                try await served.decide(id, by: moderator)
            }
            try await served.importRows(of: ["Troglodytes pacificus"], into: "Field counts", locality: open)
            let sensitive = ["Strix occidentalis", "Accipiter gentilis", "Strix nebulosa", "Falco rusticolus"]
            try await served.importRows(of: sensitive, into: "Tree counts", locality: secret)
            try await served.followToHead()
        }

        func file(_ format: ExportFormat) async throws -> FileExport {
            let exports = served.cases.exports
            let files = exports.files(
                over: served.cases.ground.pool, in: exports.settings.folder + "/files", disk: exports.settings.disk)
            return try await ServedRoutes.$now.withValue(.now.adding(seconds: 37 * 86_400)) {
                try await files.make(FileExportRequest(format: format, filter: RecordFilter(), asOf: .day(day)))
            }
        }

        /// Compares a row with the single record.
        /// - Parameter decimals: of degrees.
        func expectEqual(_ row: [String], decimals: Int) async throws {
            try #require(row.count == OccurrenceColumn.allCases.count, "\(row)")
            let id = try #require(row[OccurrenceColumn.references.index].split(separator: "/").last)
            let record = try await Caller.anonymous(served).read("/v1/sightings/\(id)?asOf=\(day)", daysAhead: 37)
            try #require(record.status == .ok, "\(String(buffer: record.body))")
            let isImported = try record["dataset"]?.members.isEmpty == false
            // An exact row's own columns are passed on.
            let isRow = isImported && row[OccurrenceColumn.coordinatePrecision.index].isEmpty
            for (column, member) in members {
                let (value, expected) = (row[column.index], try record[member] ?? .null)
                if isRow, expected == .null, [.recordedBy, .verbatimIdentification].contains(column) { continue }
                switch expected {
                case .null, .object: #expect(value.isEmpty, "\(column) \(row)")
                case .string(let text): #expect(value == text, "\(column) \(row)")
                default:
                    let numbers = (try #require(Double(value), "\(column) \(row)"), try #require(expected.number))
                    let isPlace = [.decimalLatitude, .decimalLongitude].contains(column)
                    let tolerance = isPlace ? (decimals == 5 ? 0.000_005_1 : 0.000_000_51) : 0
                    #expect(abs(numbers.0 - numbers.1) <= tolerance, "\(column) \(row)")
                }
            }
            let licence = try #require(try record.text("licence").flatMap(Licence.init(rawValue:)))
            #expect(row[OccurrenceColumn.license.index] == licence.legalCode)
            let isCaptive = try record["captive"]?.boolean == true
            #expect(row[OccurrenceColumn.degreeOfEstablishment.index] == (isCaptive ? "captive" : ""))
            let confidence = try record["confidence"]?.integer
            if !isImported {
                let properties = confidence.map { #"{"confidence":\#($0)}"# } ?? ""
                #expect(row[OccurrenceColumn.dynamicProperties.index] == properties)
            }
        }
    }

    private static func run(_ body: @Sendable (Scene) async throws -> Void) async throws {
        let site = ExportSite(
            address: "https://skein.example.org", organisation: "Wren Society", contact: "data@example.org")
        try await ServedRoutes.run(exports: TestExports.settings(site: site)) { served in
            try await body(try await Scene(served))
        }
    }

    /// All records but the one of category 1.
    private static func expect(_ rows: [[String]], _ bytes: Data, _ scene: Scene, decimals: Int) async throws {
        #expect(rows.count == 11)
        for row in rows { try await scene.expectEqual(row, decimals: decimals) }
        let precisions = Set(rows.map { $0[OccurrenceColumn.coordinatePrecision.index] })
        #expect(precisions == ["", "0.1", "0.01", "0.001"])
        // The exact row has all of it.
        #expect(bytes.range(of: Data(open.utf8)) != nil)
        for word in [secret, "45.5123", "122.6123"] {
            let told = rows.filter { $0.contains { $0.contains(word) } }
            #expect(told.count == (word == secret ? 0 : 1), "\(word)")
        }
        #expect(bytes.range(of: Data(secret.utf8)) == nil)
    }

    @Test func `a table has the values of the single records`() async throws {
        try await Self.run { scene in
            // The file is removed with the value.
            let file = try await scene.file(.csv)
            defer { withExtendedLifetime(file) {} }
            let bytes = try Data(contentsOf: URL(filePath: file.path))
            let lines = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n")
            let rows = lines.dropFirst().dropLast().map(Self.values)
            try await Self.expect(rows, bytes, scene, decimals: 6)
        }
    }

    @Test func `an archive has the values of the single records`() async throws {
        try await Self.run { scene in
            let file = try await scene.file(.dwca)
            defer { withExtendedLifetime(file) {} }
            let archive = try DarwinCoreArchive(
                container: ArchiveContainer(path: file.path, kind: .zip, limits: ArchiveLimits()))
            let reader = try archive.rows(of: try #require(archive.descriptor).core)
            var rows: [[String]] = []
            while let record = try reader.next() {
                if case .row(let row) = record { rows.append(Array(row.fields.dropFirst())) }
            }
            try await Self.expect(rows, try Data(contentsOf: URL(filePath: file.path)), scene, decimals: 5)
        }
    }

    /// The values of a line of CSV.
    private static func values(_ line: String) -> [String] {
        var (values, isQuoted, last): ([String], Bool, Character?) = ([""], false, nil)
        for character in line {
            if character == "\"" {
                // Within quotes, two are one.
                if !isQuoted, last == "\"" { values[values.count - 1].append(character) }
                isQuoted.toggle()
            } else if character == ",", !isQuoted {
                values.append("")
            } else {
                values[values.count - 1].append(character)
            }
            last = character
        }
        return values
    }
}
