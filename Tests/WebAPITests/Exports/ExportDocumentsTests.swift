import Domain
import Exchange
import Forms
import FoundationEssentials
import JSON
import TestRandom
import Testing
import Yams

@testable import Service

/// An export to write documents about.
enum SampleExport {
    static let id = ExportID(UUID(uuidString: "8c6ae6c7-95b8-4d43-a9c8-1f4a0ff0a001") ?? UUID())
    static let dataset = DatasetID(UUID(uuidString: "8c6ae6c7-95b8-4d43-a9c8-1f4a0ff0a002") ?? UUID())
    static let sha256 = Fingerprint(unchecked: String(repeating: "0123456789abcdef", count: 4))

    static func subject(_ change: (inout ExportSubject) throws -> Void = { _ in }) throws -> ExportSubject {
        var subject = ExportSubject(
            id: id, format: .csv, outputVersion: 1, filter: RecordFilter(statuses: [.approved, .acceptedBySource]),
            day: .end(try CivilDate("2026-05-01")), organisation: "Wren Society",
            address: "https://wrens.example")
        try change(&subject)
        return subject
    }

    static func facts(
        _ subject: ExportSubject, datasets: [ExportFacts.Dataset] = [], rows: Int = 12
    ) -> ExportFacts {
        ExportFacts(
            subject: subject, revision: 1,
            contents: .init(
                rows: rows, licences: [.by: 10, .byNonCommercial: 2], datasets: datasets, generalised: 3,
                replacedCharacters: 1),
            leftOut: ExportOmissions(noLicence: 4, notRepublished: 5, unidentified: 0), bytes: 345, sha256: sha256,
            versions: .init(
                taxonomy: "avilist-2025", sensitivity: "2026-01", polygons: "dcw-v2", software: "Skein 0.1.0"))
    }

    /// With text from anywhere in the title, the organisation and a dataset.
    static func odd(_ random: inout RandomSource) throws -> ExportFacts {
        let texts = (0..<4).map { _ in "x" + random.text(length: 0...40) + "y" }
        let subject = try subject { subject in
            subject.filter.dataset = .one(dataset)
            subject.names.dataset = texts[0]
            subject.organisation = texts[1]
        }
        return facts(
            subject, datasets: [.init(id: dataset, title: texts[0], publisher: texts[2], citation: texts[3], rows: 7)])
    }
}

struct ExportTitleTests {
    @Test func `a title says the query in words`() throws {
        let subject = try SampleExport.subject { subject in
            subject.names.scientificName = "Campylorhynchus brunneicapillus"
            subject.names.vernacularName = "Cactus Wren"
            subject.names.state = "Arizona"
            subject.filter.taxon = TaxonID(UUID())
            subject.filter.state = try StateCode("US-AZ")
            subject.filter.from = try CivilDate("2010-01-01")
            subject.filter.to = try CivilDate("2019-12-31")
        }
        let expected =
            "Records of Cactus Wren (Campylorhynchus brunneicapillus) in Arizona, 2010-01-01 to 2019-12-31, "
            + "as of 2026-05-01"
        #expect(subject.title == expected)
    }

    @Test func `every condition is named`() throws {
        let subject = try SampleExport.subject { subject in
            subject.filter.kind = .bird
            subject.filter.country = try CountryCode("US")
            subject.filter.box = try BoundingBox(west: -114.8, south: 31, east: -109, north: 37)
            subject.filter.from = try CivilDate("2020-01-01")
            subject.filter.statuses = [.approved]
            subject.filter.minConfidence = try Confidence(8)
            subject.filter.maxUncertainty = try UncertaintyMetres(100)
            subject.filter.hasPhoto = true
            subject.filter.captive = false
            subject.filter.dataset = DatasetChoice.none
            subject.day = .moment(try CivilDate("2026-05-01"))
        }
        let expected =
            "Records of birds in US, since 2020-01-01, longitude -114.8 to -109, latitude 31 to 37, "
            + "approved by a moderator, confidence 8 or more, coordinate uncertainty at most 100 m or unknown, "
            + "with a photo, wild, submitted here, as of a moment on 2026-05-01"
        #expect(subject.title == expected)
    }

    @Test func `without a condition it is all taxa`() throws {
        #expect(try SampleExport.subject().title == "Records of all taxa, as of 2026-05-01")
    }
}

struct ExportCitationTests {
    @Test func `a citation has organisation, year, title, datasets and address`() throws {
        let datasets = [ExportFacts.Dataset(id: SampleExport.dataset, title: "Breeding Bird Survey", rows: 7)]
        let citation = SampleExport.facts(try SampleExport.subject(), datasets: datasets).citation
        let expected =
            "Wren Society (2026). Records of all taxa, as of 2026-05-01. Revision 1. 12 records: 7 of Breeding Bird "
            + "Survey; 5 submitted by observers. "
            + "https://wrens.example/v1/exports/8c6ae6c7-95b8-4d43-a9c8-1f4a0ff0a001"
        #expect(citation.text == expected)
    }

    @Test func `the largest datasets are named and the others counted`() throws {
        let datasets = (1...7).map { number in
            ExportFacts.Dataset(id: DatasetID(UUID()), title: "D\(number)", rows: number)
        }
        let citation = SampleExport.facts(try SampleExport.subject(), datasets: datasets, rows: 28).citation
        #expect(
            citation.credit
                == "28 records: 7 of D7; 6 of D6; 5 of D5; 4 of D4; 3 of D3; 3 of 2 other datasets")
    }

    @Test func `without an organisation the host publishes, and without an address the software`() throws {
        var subject = try SampleExport.subject { $0.organisation = nil }
        #expect(subject.publisher == "wrens.example")
        subject.address = "http://localhost:8080/"
        #expect(subject.publisher == "localhost:8080")
        #expect(subject.url == "http://localhost:8080/v1/exports/\(SampleExport.id)")
        subject.address = nil
        #expect(subject.publisher == "Skein")
        #expect(subject.url == nil)
        let text = SampleExport.facts(subject).citation.text
        #expect(text.hasSuffix("12 records. Export 8c6ae6c7-95b8-4d43-a9c8-1f4a0ff0a001"))
    }

    @Test func `the narrowest licence is that of all`() {
        func licence(_ licences: [Licence: Int]) -> Licence {
            ExportFacts.Contents(rows: 1, licences: licences).narrowestLicence
        }
        #expect(licence([:]) == .cc0)
        #expect(licence([.cc0: 5, .by: 1, .byNonCommercial: 0]) == .by)
        #expect(licence([.by: 5, .byNonCommercial: 1]) == .byNonCommercial)
    }
}

struct ExportDocumentsTests {
    @Test(arguments: RandomSource.seeds(100)) func `CITATION.cff is YAML with any text`(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        let facts = try SampleExport.odd(&random)
        let text = String(decoding: CitationFile(facts).bytes, as: UTF8.self)
        let node = try #require(try Yams.compose(yaml: text))
        #expect(node["cff-version"]?.string == "1.2.0")
        #expect(node["title"]?.string == facts.citation.title)
        #expect(node["authors"]?[0]?["name"]?.string == facts.subject.organisation)
        #expect(node["license"]?.string == "CC-BY-NC-4.0")
        let dataset = facts.contents.datasets[0]
        let reference = try #require(node["references"]?[0])
        #expect(reference["title"]?.string == dataset.title)
        #expect(reference["authors"]?[0]?["name"]?.string == dataset.publisher)
        #expect(reference["notes"]?.string == "7 records. \(dataset.citation ?? "")")
    }

    @Test(arguments: RandomSource.seeds(100)) func `citation.bib has balanced braces and the texts`(
        seed: UInt64
    ) throws {
        var random = RandomSource(seed: seed)
        let facts = try SampleExport.odd(&random)
        let text = String(decoding: BibliographyFile(facts).bytes, as: UTF8.self)
        #expect(text.unicodeScalars.reduce(0) { $0 + ($1 == "{" ? 1 : $1 == "}" ? -1 : 0) } == 0)
        let lines = text.split(separator: "\n").map(String.init)
        let titles = lines.filter { $0.hasPrefix("  title = {{") }.map(Self.unescapedTitle)
        #expect(titles == [facts.citation.title, facts.contents.datasets[0].title].map(Self.spaced))
        #expect(lines.filter { $0.hasPrefix("@misc{") }.count == 2)
        #expect(lines.allSatisfy { $0.hasPrefix("@misc{") || $0.hasPrefix("  ") || $0 == "}" })
    }

    /// Control characters, which a title must not have in BibTeX, as spaces.
    private static func spaced(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 }))
    }

    private static func unescapedTitle(_ line: String) -> String {
        var text = String(line.dropFirst("  title = {{".count))
        while text.last != "}" { text.removeLast() }
        text.removeLast(2)
        let names = [
            ("{\\textbraceleft}", "\u{1}"), ("{\\textbraceright}", "\u{2}"), ("{\\textasciitilde}", "~"),
            ("{\\textasciicircum}", "^"), ("{\\textbackslash}", "\u{3}"), ("\\&", "&"), ("\\%", "%"), ("\\$", "$"),
            ("\\#", "#"), ("\\_", "_"), ("\u{1}", "{"), ("\u{2}", "}"), ("\u{3}", "\\"),
        ]
        // By scalars: a brace and a combining mark after it are one character.
        let scalars = names.reduce(Array(text.unicodeScalars)) { text, name in
            text.replacing(Array(name.0.unicodeScalars), with: Array(name.1.unicodeScalars))
        }
        return String(String.UnicodeScalarView(scalars))
    }

    @Test(arguments: RandomSource.seeds(50)) func `the JSON documents hold any text`(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        let facts = try SampleExport.odd(&random)
        let manifest = try JSONValue(parsing: JSONWriter.bytes(of: ExportManifest(facts)))
        #expect(manifest["title"]?.string == facts.citation.title)
        #expect(manifest["datasets"]?[0]?["citation"]?.string == facts.contents.datasets[0].citation)
        let record = try JSONValue(parsing: JSONWriter.bytes(of: DataCiteMetadata(facts)))
        #expect(record["titles"]?[0]?["title"]?.string == facts.citation.title)
        #expect(record["creators"]?[0]?["name"]?.string == facts.subject.organisation)
        #expect(record["relatedItems"]?[0]?["titles"]?[0]?["title"]?.string == facts.contents.datasets[0].title)
    }

    @Test func `a manifest has exactly these members`() throws {
        let facts = SampleExport.facts(try SampleExport.subject())
        let manifest = try JSONValue(parsing: JSONWriter.bytes(of: ExportManifest(facts)))
        #expect(
            manifest.members.map(\.name) == [
                "id", "revision", "title", "citation", "url", "format", "outputVersion", "columns", "filter",
                "statuses", "asOf", "rows", "bytes", "sha256", "members", "licences", "datasets", "leftOut",
                "generalised", "replacedCharacters", "taxonomy", "sensitivity", "polygons", "software",
            ])
        #expect(manifest["columns"]?.items.count == OccurrenceColumn.allCases.count)
        #expect(manifest["columns"]?[0]?["term"]?.string == "http://rs.tdwg.org/dwc/terms/occurrenceID")
        #expect(manifest["statuses"]?.items.map(\.string) == ["approved", "accepted-by-source"])
        #expect(manifest["asOf"]?.string == "2026-05-01")
        #expect(
            manifest["licences"]?.members == [
                JSONMember("CC-BY-4.0", .integer(10)), JSONMember("CC-BY-NC-4.0", .integer(2)),
            ])
        #expect(manifest["leftOut"]?["notRepublished"]?.integer == 5)
    }

    @Test func `a manifest has the columns of its output version, which says how many there are`() throws {
        #expect(ExportSubject.columnsOfVersions[ExportOutput.version] == OccurrenceColumn.allCases.count)
        let counts = ExportSubject.columnsOfVersions.sorted { $0.key < $1.key }.map(\.value)
        #expect(counts == counts.sorted())
        for (version, count) in ExportSubject.columnsOfVersions {
            let subject = try SampleExport.subject { $0.outputVersion = version }
            #expect(subject.columns.map(\.name) == OccurrenceColumn.allCases.prefix(count).map(\.name))
        }
    }

    @Test func `a filter is written as a request may have it`() throws {
        let filter = RecordFilter(
            kind: .bird, state: try StateCode("US-AZ"),
            box: try BoundingBox(west: -114.8, south: 31, east: -109, north: 37), from: try CivilDate("2020-01-01"),
            statuses: [.approved], minConfidence: try Confidence(8), hasPhoto: false, dataset: DatasetChoice.none)
        let text = String(decoding: JSONWriter.bytes(of: FilterView(filter: filter)), as: UTF8.self)
        let expected =
            #"{"kind":"bird","state":"US-AZ","bbox":"-114.8,31,-109,37","from":"2020-01-01","status":["approved"],"#
            + #""minConfidence":8,"hasPhoto":false,"dataset":"none"}"#
        #expect(text == expected)
    }

    @Test func `a dataset that an operator named is marked`() throws {
        let dataset = ExportFacts.Dataset(id: SampleExport.dataset, title: "Private", rows: 1, isNamed: true)
        let facts = SampleExport.facts(try SampleExport.subject(), datasets: [dataset])
        let manifest = try JSONValue(parsing: JSONWriter.bytes(of: ExportManifest(facts)))
        #expect(manifest["datasets"]?[0]?["republish"]?.string == "no")
    }

    /// What the schema requires, and the address of the rights of each record.
    @Test func `datacite.json has what the schema requires`() throws {
        let subject = try SampleExport.subject { subject in
            subject.filter.box = .world
            subject.filter.from = try CivilDate("2010-01-01")
            subject.filter.to = try CivilDate("2019-12-31")
        }
        let record = try JSONValue(parsing: JSONWriter.bytes(of: DataCiteMetadata(SampleExport.facts(subject))))
        for name in ["creators", "titles", "publisher", "publicationYear", "types", "schemaVersion"] {
            #expect(record[name] != nil, "\(name)")
        }
        #expect(record["publicationYear"]?.string == "2026")
        #expect(record["dates"]?[1]?["date"]?.string == "2010-01-01/2019-12-31")
        #expect(record["geoLocations"]?[0]?["geoLocationBox"]?["westBoundLongitude"]?.number == -180)
        #expect(record["rightsList"]?.items.count == 2)
        #expect(record["formats"]?[0]?.string == "text/csv; charset=utf-8")
    }

    /// The metadata is part of the hashed bytes.
    @Test func `an archive's metadata depends on the archive alone`() throws {
        let facts = SampleExport.facts(try SampleExport.subject())
        let dataset = UUID(uuidString: "8c6ae6c7-95b8-4d43-a9c8-1f4a0ff0a003") ?? UUID()
        let metadata = facts.subject.archiveMetadata(
            dataset: dataset, revision: 1, contents: facts.contents, contact: "data@wrens.example")
        #expect(metadata.packageID == "8c6ae6c7-95b8-4d43-a9c8-1f4a0ff0a003/v1.2026-05-01")
        #expect(metadata.citation == facts.citation.text)
        #expect(metadata.licence.url == "http://creativecommons.org/licenses/by-nc/4.0/legalcode")
        #expect(!metadata.abstract.contains("0.1.0"))
        #expect(metadata.abstract.contains("10 under CC-BY-4.0, 2 under CC-BY-NC-4.0"))
    }
}
