import Domain
import Foundation
import TestSupport
import Testing

@testable import Imports
@testable import Service

/// Words and numbers as files write them, from the file to the record.
struct OccurrenceWordTests {
    /// Imports a row for each value of the last columns, and passes on what became of them.
    private static func imported(
        _ columns: String, _ values: [String], _ separator: String = ",", place: [String] = ["47.81", "-123.45"]
    ) async throws -> (summary: OccurrenceImportSummary, records: [SightingRecord]) {
        try await ImportFixture.run { log in
            let header = ["occurrenceID", "eventDate", "decimalLatitude", "decimalLongitude", columns]
            let lines = values.enumerated().map {
                (["r\($0)", "2024-05-30"] + place + [$1]).joined(separator: separator)
            }
            let summary = try await log.importRows(
                try log.write("words.csv", [header.joined(separator: separator)] + lines))
            return (summary, try await log.standing())
        }
    }

    @Test func `signs and words for present are not counted`() async throws {
        let words = [
            "X", "x", "", " ", "present", "Present", "PRESENCE", "p", "+", "yes", "true", "✓", "NA", "N/A", "NaN",
            "null",
            "not counted", "Not_Counted", "uncounted", "observed", "\\N",
        ]
        let (summary, records) = try await Self.imported("individualCount", words)
        #expect(summary.rejected.isEmpty && records.count == words.count)
        #expect(records.allSatisfy { $0.details.count == nil })
    }

    private static let absences = [
        "0", "0.0", "00", "-0", "0e0", "zero", "Zero", "none", "None", "absent", "ABSENT", "absence", "not detected",
        "Not_Detected", "not-detected", "not present", "NOTPRESENT", "not observed", "undetected", "nil", "no", "false",
    ]

    @Test(arguments: ["individualCount", "occurrenceStatus", "organismQuantityType,organismQuantity"])
    func `zero and words for absence are absences`(_ columns: String) async throws {
        let isOfQuantity = columns.contains(",")
        let values = isOfQuantity ? Self.absences.map { "individuals," + $0 } : Self.absences
        let (summary, records) = try await Self.imported(columns, values)
        #expect(summary.rejected == ["absence": values.count] && records.isEmpty)
    }

    @Test func `counts are whole numbers, and quantities of individuals count`() async throws {
        let rows = [
            "4,,", "4.0,,", "+4,,", "004,,", "4,5,individuals", ",4,individuals", "x,4,Individuals",
            "NA,4,INDIVIDUAL_COUNT",
            ",4,number of individuals", ",4.0,individual-s",
        ]
        let (summary, records) = try await Self.imported("individualCount,organismQuantity,organismQuantityType", rows)
        #expect(
            summary.rejected.isEmpty
                && records.map { $0.details.count?.value } == Array(repeating: 4, count: rows.count)
        )
        let bad = ["0x4", "many", "4.5", "-4", "inf", "1e400", "3 or 4", "10-20", "1000001", "\"1,000\"", "?"]
        #expect(try await Self.imported("individualCount", bad).summary.rejected == ["invalid-count": bad.count])
        let unrelated = try await Self.imported("organismQuantity,organismQuantityType", ["12,% biomass", "r,scale"])
        #expect(unrelated.records.map { $0.details.count?.value } == [nil, nil])
    }

    private static let captive: [(column: String, values: [String])] = [
        (
            "basisOfRecord",
            [
                "LIVING_SPECIMEN", "livingSpecimen", "LivingSpecimen", "Living Specimen", "living-specimen",
                "living specimen ", "dwc:LivingSpecimen", "http://rs.tdwg.org/dwc/terms/LivingSpecimen",
            ]
        ),
        (
            "establishmentMeans",
            [
                "captive", "Captive", "CULTIVATED", "managed", "introduced | captive", "captive/cultivated",
                "in captivity",
            ]
        ),
        (
            "degreeOfEstablishment",
            [
                "captive", "Cultivated", "http://rs.tdwg.org/dwcdoe/values/d002",
                "https://rs.tdwg.org/dwcdoe/values/d003",
                "dwcdoe:d002",
            ]
        ),
        ("captive_cultivated", ["true", "TRUE", "t", "yes", "1", "1.0", "captive", "captive/cultivated"]),
        ("captive", ["true", "Captive", "cultivated"]), ("Is Captive", ["Y"]), ("captiveCultivated", ["x"]),
    ]

    private static let wild: [(column: String, values: [String])] = [
        ("basisOfRecord", ["HUMAN_OBSERVATION", "PreservedSpecimen", "", "not a living specimen"]),
        ("establishmentMeans", ["native", "Introduced", "wild", "not captive", "escaped captive", "uncertain"]),
        ("degreeOfEstablishment", ["native", "http://rs.tdwg.org/dwcdoe/values/d001", "released"]),
        ("captive_cultivated", ["false", "FALSE", "no", "0", "", "wild", "0.0", "NA"]), ("bred in captivity", ["true"]),
    ]

    @Test(arguments: captive) func `what people keep is captive, however it is written`(
        _ column: String, _ values: [String]
    ) async throws {
        let records = try await Self.imported(column, values).records
        #expect(records.count == values.count && records.allSatisfy(\.details.captive))
    }

    @Test(arguments: wild) func `all else is wild`(_ column: String, _ values: [String]) async throws {
        let records = try await Self.imported(column, values).records
        #expect(records.count == values.count && !records.contains { $0.details.captive })
    }

    @Test(arguments: [";", "\t", "|"]) func `a decimal comma in a file that is not separated by commas`(
        _ separator: String
    ) async throws {
        let columns = ["coordinateUncertaintyInMeters", "individualCount"].joined(separator: separator)
        let (summary, records) = try await Self.imported(
            columns, ["12,5\(separator)3,0"], separator, place: ["47,81", "-123,45"])
        let details = try #require(records.first?.details)
        #expect(summary.accepted == 1)
        #expect(details.coordinate == (try Coordinate(latitude: 47.81, longitude: -123.45)))
        #expect(details.uncertainty?.value == 12.5 && details.count?.value == 3)
    }

    @Test func `a comma inside a field of a file separated by commas is no decimal comma`() async throws {
        let summary = try await Self.imported("sex", ["m"], place: ["\"47,81\"", "\"-123,45\""]).summary
        #expect(summary.rejected == ["invalid-coordinates": 1])
    }

    @Test func `rows may end where only empty fields would follow`() async throws {
        let (summary, records) = try await Self.imported("sex,lifeStage,remarks", ["m,adult,note", "m", "m,", ",,"])
        #expect(summary.accepted == 4 && records.count == 4)
        let long = try await Self.imported("sex,remarks", ["m,note,more", "m,note,"]).summary
        #expect(long.rejected == ["ragged-row": 2])
    }

    @Test func `a row whose own day is another than its instant's is on that day`() async throws {
        let columns = "eventTime,year,month,day"
        let (summary, records) = try await Self.imported(columns, ["00:15:00Z,,,", "19:15:00Z,2024,5,30"])
        #expect(summary.accepted == 2)
        let times = records.map(\.details.observed).sorted { $0.from < $1.from }
        #expect(times.map(\.value.description) == ["2024-05-30", "2024-05-30T19:15:00Z"])
        #expect(times.allSatisfy { $0.localFrom.description == "2024-05-30" && $0.zone.text == "America/Los_Angeles" })
    }
}
