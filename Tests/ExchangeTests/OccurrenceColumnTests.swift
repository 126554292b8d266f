import Foundation
import Testing

@testable import Exchange

struct OccurrenceColumnTests {
    /// Those of `occurrences-1` as they were first published. Further columns may follow; none of these may change.
    private static let first = [
        "occurrenceID", "basisOfRecord", "occurrenceStatus", "scientificName", "scientificNameAuthorship", "taxonRank",
        "kingdom", "phylum", "class", "order", "family", "genus", "vernacularName", "taxonID",
        "identificationQualifier", "verbatimIdentification", "identificationVerificationStatus", "eventDate",
        "individualCount", "organismQuantity", "organismQuantityType", "sex", "lifeStage", "degreeOfEstablishment",
        "decimalLatitude", "decimalLongitude", "geodeticDatum", "coordinateUncertaintyInMeters", "coordinatePrecision",
        "countryCode", "stateProvince", "higherGeography", "locality", "recordedBy", "recordedByID", "eventID",
        "samplingProtocol", "samplingEffort", "sampleSizeValue", "sampleSizeUnit", "occurrenceRemarks",
        "associatedMedia", "license", "rightsHolder", "institutionCode", "collectionCode", "catalogNumber", "datasetID",
        "datasetName", "bibliographicCitation", "dataGeneralizations", "informationWithheld", "references",
        "dynamicProperties",
    ]

    @Test func `columns are only ever added, at the end`() {
        #expect(Array(OccurrenceColumn.allCases.map(\.name).prefix(Self.first.count)) == Self.first)
        #expect(OccurrenceColumn.version == "occurrences-1")
    }

    @Test func `the place of a column is that in all columns`() {
        #expect(OccurrenceColumn.allCases.map(\.index) == Array(OccurrenceColumn.allCases.indices))
    }

    @Test func `every column is a term that an import reads`() {
        for column in OccurrenceColumn.allCases {
            #expect(DarwinCoreTerm(name: column.name)?.name == column.name)
            #expect(DarwinCoreTerm(heading: column.term) == DarwinCoreTerm(name: column.name))
            #expect((column.unit == nil) == (column.kind != .decimal), "\(column)")
        }
        #expect(OccurrenceColumn.license.term == "http://purl.org/dc/terms/license")
        #expect(OccurrenceColumn.bibliographicCitation.term == "http://purl.org/dc/terms/bibliographicCitation")
    }

    @Test func `the document lists the columns in their order, with their types and units`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appendingPathComponent("docs/darwin-core.md"), encoding: .utf8)
        let section = try #require(text.components(separatedBy: "### Columns: `\(OccurrenceColumn.version)`\n").last)
        let rows = section.components(separatedBy: "\n##")[0].split(separator: "\n").filter { $0.hasPrefix("| `") }
        let listed = rows.map { row in
            row.split(separator: "|").prefix(2).map { $0.trimmingCharacters(in: .whitespaces) }
        }
        let expected = OccurrenceColumn.allCases.map { column in
            ["`\(column.name)`", column.kind.rawValue + (column.unit.map { ", \($0)" } ?? "")]
        }
        #expect(listed == expected)
    }
}
