import Domain
import Exchange
import Foundation
import ReadModels
import Testing

@testable import Service

/// Nothing of an imported row leads to the place of a generalised record.
struct BulkPrivacyTests {
    private static let secret = "Hollow-Tree-7"
    private static let lines = [
        "occurrenceID,scientificName,eventDate,decimalLatitude,decimalLongitude,locality,eventID,recordedBy,plot,sex,"
            + "dynamicProperties,references,basisOfRecord,individualCount,rightsHolder",
        "id-\(secret),Troglodytes pacificus,2019-05-04,45.512345,-122.612345,by \(secret),ev-\(secret),\(secret) Club,"
            + "\(secret),sex \(secret),\"{\"\"at\"\":\"\"\(secret)\"\"}\",https://x.org/\(secret),PreservedSpecimen,"
            + "7,\(secret) Inc",
    ]

    @Test func `a row that is not generalised tells all of it`() async throws {
        try await BulkFixture.run { bulk in
            let exact = Self.lines.map { $0.replacing("pacificus", with: "hiemalis") }
            try await bulk.importRows(exact)
            let text = try await bulk.text()
            #expect(text.components(separatedBy: Self.secret).count == 10)
            #expect(text.contains("45.512345,-122.612345"))
        }
    }

    @Test func `a row of a record with hidden texts tells none of it`() async throws {
        try await BulkFixture.run { bulk in
            try await bulk.importRows(Self.lines.map { $0.replacing("pacificus", with: "hiemalis") })
            let before = try await bulk.moment()
            let stream = try #require(try await bulk.log.streams().values.first)
            try await bulk.hide(stream, [.notes])
            for moment in [before, try await bulk.moment()] {
                // A restriction applies to what was known before, too.
                let shown = PublicMoment(known: moment.known, shown: try await bulk.log.head())
                try await bulk.reader().eachBatch(BulkQuery(), asOf: shown) { records in
                    #expect(records.map(\.occurrenceID) == ["urn:uuid:\(SightingID(stream))"])
                    #expect(records.allSatisfy { $0.row == nil })
                }
            }
        }
    }

    @Test(arguments: [SensitivityCategory.one, .two, .three, .four])
    func `a row of a sensitive taxon tells none of it`(_ category: SensitivityCategory) async throws {
        try await BulkFixture.run { bulk in
            try await bulk.importRows(Self.lines, category: category)
            for format in ExportFormat.allCases where format.encoder != nil {
                let text = try await bulk.text(as: format)
                #expect(
                    !text.contains(Self.secret) && !text.contains("45.51234") && !text.contains("PreservedSpecimen"))
            }
            let occurrences = try await bulk.occurrences()
            #expect(occurrences.count == (category == .one ? 0 : 1))
            guard let occurrence = occurrences.first else { return }
            let cell = [SensitivityCategory.two: "0.1", .three: "0.01", .four: "0.001"][category]
            #expect(occurrence[.coordinatePrecision] == cell)
            let latitude = [SensitivityCategory.two: "45.55", .three: "45.515", .four: "45.5125"][category]
            #expect(occurrence[.decimalLatitude] == latitude)
            let record = try #require(try await bulk.records().first)
            #expect(record.occurrenceID == "urn:uuid:\(record.record.row.id)" && record.row == nil)
            #expect(occurrence[.eventDate] == (category == .two ? "2019-05" : "2019-05-04"))
            #expect(occurrence[.dataGeneralizations]?.contains("\(cell ?? "") degrees") == true)
            #expect(occurrence[.informationWithheld]?.contains("original identifier") == true)
        }
    }

    /// The columns that a guarded record may have, whatever was submitted: see "What guarded records and photos show"
    /// in `docs/privacy.md`. Names come from the taxon, credits from the dataset.
    private static let guarded: Set<OccurrenceColumn> = [
        .occurrenceID, .basisOfRecord, .occurrenceStatus, .scientificName, .scientificNameAuthorship, .taxonRank,
        .kingdom, .phylum, .class, .order, .family, .genus, .vernacularName, .taxonID,
        .identificationVerificationStatus, .eventDate, .organismQuantity, .organismQuantityType, .degreeOfEstablishment,
        .decimalLatitude, .decimalLongitude, .geodeticDatum, .coordinateUncertaintyInMeters, .coordinatePrecision,
        .countryCode, .stateProvince, .higherGeography, .license, .datasetID, .datasetName, .rightsHolder,
        .bibliographicCitation, .dataGeneralizations, .informationWithheld, .references,
    ]

    @Test(arguments: [Geoprivacy.open, .obscured, .private])
    func `a submitted record has the values of its public answer, and no others`(_ geoprivacy: Geoprivacy) async throws
    {
        try await BulkFixture.run { bulk in
            let birder = try await bulk.cases.birder {
                ($0.licence, $0.displayName) = (.byNonCommercial, try DisplayName("Jenny"))
            }
            let request = try UseCaseFixture.wren { request in
                request.changes.geoprivacy = geoprivacy
                request.changes.count = .set(try IndividualCount(5))
            }
            _ = try await bulk.cases.sightings.submit(request, by: birder, key: UUID())
            let query = BulkQuery(filter: RecordFilter(statuses: [.pending]))
            let occurrence = try #require(try await bulk.occurrences(query).first)
            let id = try #require(try await bulk.records(query).first).record.row.id
            let answer = try await bulk.cases.records.sighting(id, asOf: try await bulk.moment())
            #expect(occurrence[.occurrenceID] == "urn:uuid:\(id)")
            #expect(occurrence[.references] == "\(BulkFixture.address)/v1/sightings/\(id)")
            #expect(occurrence[.decimalLatitude].flatMap { Double($0) } == answer.row.coordinate?.latitude)
            #expect(occurrence[.decimalLongitude].flatMap { Double($0) } == answer.row.coordinate?.longitude)
            #expect(occurrence[.coordinateUncertaintyInMeters].flatMap { Double($0) } == answer.row.uncertainty)
            #expect(occurrence[.eventDate] == answer.row.observed?.description)
            #expect(occurrence[.individualCount].flatMap { Int($0) } == answer.row.count)
            #expect(occurrence[.organismQuantity] == answer.row.countRange?.rawValue)
            #expect(occurrence[.occurrenceRemarks] == answer.notes)
            #expect(occurrence[.verbatimIdentification] == answer.verbatimName)
            #expect(occurrence[.recordedBy] == answer.observerName)
            #expect(occurrence[.recordedByID] == answer.row.observer?.description)
            #expect(occurrence[.stateProvince] == answer.row.state?.text)
            #expect(occurrence[.license] == "http://creativecommons.org/licenses/by-nc/4.0/legalcode")
            #expect(occurrence[.dynamicProperties] == (geoprivacy == .private ? nil : #"{"confidence":8}"#))
            #expect((occurrence[.informationWithheld] == nil) == (geoprivacy == .open))
            guard geoprivacy == .private else { return }
            let columns = OccurrenceColumn.allCases.filter { occurrence[$0] != nil }
            #expect(Set(columns).isSubset(of: Self.guarded), "\(columns)")
        }
    }
}
