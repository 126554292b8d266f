import Testing

@testable import Exchange

struct DarwinCoreTermTests {
    @Test func `names and identifiers`() {
        #expect(DarwinCoreTerm.decimalLatitude.name == "decimalLatitude")
        #expect(DarwinCoreTerm.class.name == "class")
        #expect(DarwinCoreTerm.decimalLatitude.uri == "http://rs.tdwg.org/dwc/terms/decimalLatitude")
        #expect(DarwinCoreTerm.license.uri == "http://purl.org/dc/terms/license")
        #expect(Set(DarwinCoreTerm.allCases.map(\.name)).count == DarwinCoreTerm.allCases.count)
    }

    @Test func `every term is found by name and identifier`() {
        for term in DarwinCoreTerm.allCases {
            #expect(DarwinCoreTerm(name: term.name.uppercased()) == term)
            #expect(DarwinCoreTerm(heading: term.uri) == term)
            #expect(DarwinCoreTerm(heading: "dwc:\(term.name)") == term)
        }
    }

    @Test(arguments: [
        "", "latitude", "http://rs.gbif.org/terms/1.0/eventDate", "x:sex", "http://rs.tdwg.org/dwc/terms/", ":",
    ])
    func `strangers are no terms`(_ heading: String) {
        #expect(DarwinCoreTerm(heading: heading) == nil)
    }

    @Test func `mapping is parsed`() throws {
        let mapping = try ColumnMapping(parsing: "species=scientificName, a=b = EventDate")
        #expect(
            mapping.pairs == [
                .init(theirs: "species", ours: .scientificName), .init(theirs: "a=b", ours: .eventDate),
            ])
    }

    @Test func `mappings that make no sense`() {
        #expect(throws: ColumnMappingError.malformed("x")) { try ColumnMapping(parsing: "x") }
        #expect(throws: ColumnMappingError.malformed("")) { try ColumnMapping(parsing: "a=sex,") }
        #expect(throws: ColumnMappingError.malformed("=sex")) { try ColumnMapping(parsing: "=sex") }
        #expect(throws: ColumnMappingError.unknownTerm("lat")) { try ColumnMapping(parsing: "y=lat") }
        #expect(throws: ColumnMappingError.columnTwice("a")) { try ColumnMapping(parsing: "a=sex,a=year") }
        #expect(throws: ColumnMappingError.termTwice(.sex)) { try ColumnMapping(parsing: "a=sex,b=sex") }
        #expect(ColumnMappingError.unknownTerm("Remarks").description.contains("mean") == false)
        #expect(ColumnMappingError.unknownTerm("uncertainty").description.contains("coordinateUncertaintyInMeters"))
    }

    @Test func `mapping goes before headings`() throws {
        let headings = [["name"], ["scientificName"], ["Sex"], ["other"]]
        let terms = try ColumnMapping(parsing: "name=scientificName").terms(for: headings)
        #expect(terms == [.scientificName, nil, .sex, nil])
        #expect(throws: ColumnMappingError.unknownColumn("x", known: ["name", "scientificName", "Sex", "other"])) {
            try ColumnMapping(parsing: "x=sex").terms(for: headings)
        }
        #expect(throws: ColumnMappingError.ambiguousTerm(.sex, columns: ["sex", "Sex"])) {
            try ColumnMapping.none.terms(for: [["sex"], ["Sex"]])
        }
        #expect(try ColumnMapping(parsing: "Sex=sex").terms(for: [["sex"], ["Sex"]]) == [nil, .sex])
    }
}
