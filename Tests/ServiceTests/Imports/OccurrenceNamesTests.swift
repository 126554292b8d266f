import Domain
import EventLog
import Foundation
import Testing

@testable import Imports
@testable import Service

/// Every column of a row that may name its animal counts.
struct OccurrenceNamesTests {
    private static let names: TaxonNames = {
        func id(_ number: UInt8) -> TaxonID { TaxonID(UUID(bytes: [UInt8](repeating: number, count: 16))) }
        return TaxonNames([
            TaxonEntry(id: id(1), rank: .genus, kind: .mammal, scientificName: "Canis"),
            TaxonEntry(
                id: id(2), rank: .species, kind: .mammal, parent: id(1), scientificName: "Canis latrans",
                commonNames: [(.english, "Coyote")]),
            TaxonEntry(
                id: id(3), rank: .species, kind: .mammal, parent: id(1), scientificName: "Canis lupus",
                commonNames: [(.english, "Gray Wolf")], code: "CALU", sensitivity: .two, everydayNames: ["lobo"]),
            TaxonEntry(id: id(4), rank: .genus, kind: .mammal, scientificName: "Lynx"),
            TaxonEntry(id: id(5), rank: .species, kind: .mammal, parent: id(4), scientificName: "Lynx rufus"),
            TaxonEntry(
                id: id(6), rank: .species, kind: .mammal, parent: id(4), scientificName: "Lynx canadensis",
                commonNames: [(.english, "Canada Lynx")], sensitivity: .two),
        ])
    }()

    private static let place = "decimalLatitude,decimalLongitude,year"

    private func sensitivity(_ columns: String, _ values: String) async throws -> SensitivityCategory? {
        try await ImportFixture.run(names: Self.names) { log in
            let file = try log.write("a.csv", ["\(columns),\(Self.place)", "\(values),45.5,-122.6,2019"])
            try await log.importRows(file)
            return try #require(try await log.standing().first).identification.sensitivity
        }
    }

    @Test(arguments: [
        ("scientificName,vernacularName", "Canis,wolf"), ("scientificName,vernacularName", "Canis latrans,lobos"),
        ("scientificName,genus,specificEpithet", "Canis,Canis,lupus"), ("scientificName,taxonID", "Canis,CALU"),
        ("scientificName,acceptedNameUsage", "Canis latrans,Canis lupus"), ("scientificName,Species", "Canis,w0lf"),
        ("scientificName,common_name", "Canis,Gray Wolf"), ("scientificName,species code", "Canis,calu"),
        ("scientificName,identificationQualifier", "Canis lupus,cf. lupus"),
        ("scientificName,vernacularName", "Canis," + String(repeating: "gray ", count: 50) + "wolf"),
        ("scientificName,verbatimIdentification", "Canis,graywolf"), ("vernacularName", "wolves"),
        ("scientificName,subgenus", "Canis,Lobo"), ("scientificName", "Lynx"), ("vernacularName,genus", "cat,Lynx"),
        ("scientificName,originalNameUsage", "Canis,Canis lupus"), ("scientificName,nameUsage", "Canis,lobo"),
    ])
    func `a sensitive name in any column is judged`(columns: String, values: String) async throws {
        #expect(try await sensitivity(columns, values) == .two)
    }

    @Test(arguments: [
        ("scientificName,vernacularName", "Canis latrans,Coyote"), ("scientificName,site", "Canis,Wolf Creek"),
        ("scientificName,locality,genus", "Canis latrans,Wolf Creek,Canis"),
        ("scientificName,genus", "Lynx rufus,Lynx"), ("genus,specificEpithet", "Lynx,rufus"),
    ])
    func `other columns and other names are not`(columns: String, values: String) async throws {
        #expect(try await sensitivity(columns, values) == nil)
    }
}
