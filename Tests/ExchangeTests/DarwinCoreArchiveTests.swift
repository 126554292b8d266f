import Testing

@testable import Exchange

struct DarwinCoreArchiveTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// An archive as a folder, from its files' texts.
    private func open(_ files: [String: String], options: OccurrenceSource.Options = .init()) throws -> OccurrenceSource
    {
        for (name, text) in files { try folder.write(name, text) }
        return try OccurrenceSource.open(folder.path, options: options)
    }

    private static func table(
        _ element: String, type: String, file: String, attributes: String = "", fields: String
    ) -> String {
        """
        <\(element) rowType="http://rs.tdwg.org/dwc/terms/\(type)" fieldsTerminatedBy=","
        ignoreHeaderLines="0" \(attributes)>
        <files>\(file.split(separator: " ").map { "<location>\($0)</location>" }.joined())</files>
        <\(element == "core" ? "id" : "coreid") index="0"/>\(fields)</\(element)>
        """
    }

    private static func field(_ term: String, _ index: Int? = nil, default value: String? = nil) -> String {
        let index = index.map { " index='\($0)'" } ?? ""
        return "<field term='http://rs.tdwg.org/dwc/terms/\(term)'\(index)\(value.map { " default='\($0)'" } ?? "")/>"
    }

    private static func meta(_ tables: String...) -> String {
        "<archive xmlns='http://rs.tdwg.org/dwc/text/'>\(tables.joined())</archive>"
    }

    @Test func `defaults with and without index`() throws {
        let fields =
            Self.field("sex", 1, default: "unknown") + Self.field("country", default: "Bélgica") + Self.field("year", 2)
        let source = try open([
            "meta.xml": Self.meta(Self.table("core", type: "Occurrence", file: "o.txt", fields: fields)),
            "o.txt": "1,m,2020\n2,,\n3,f,2021,beyond the description\n4,f\n",
        ])
        #expect(source.names == ["occurrenceID", "sex", "country", "year"])
        #expect(source.fileColumns == ["id", "sex", "year"])
        #expect(
            try source.all(.occurrenceID, .sex, .country, .year) == [
                "1|m|Bélgica|2020", "2|unknown|Bélgica|-", "3|f|Bélgica|2021", "4|f|Bélgica|-",
            ])
    }

    @Test func `several files are one table`() throws {
        let core = Self.table(
            "core", type: "Occurrence", file: "a.txt b.txt c.txt", fields: Self.field("sex", 1)
        ).replacing("ignoreHeaderLines=\"0\"", with: "ignoreHeaderLines=\"1\"")
        let source = try open([
            "meta.xml": Self.meta(core), "a.txt": "id,sex\n1,m\n2,f\n", "b.txt": "id,sex\n", "c.txt": "id,sex\n\n3,m",
        ])
        var rows: [String] = []
        while case .occurrence(let row) = try source.next() {
            rows.append("\(row.number) \(row.file):\(row.line) \(row[.occurrenceID] ?? "")")
        }
        #expect(rows == ["1 a.txt:2 1", "2 a.txt:3 2", "3 c.txt:3 3"])
        #expect(source.progress.fraction == 1)
    }

    @Test func `an archive in a folder of its own`() throws {
        let path = folder.path + "/nested.zip"
        let meta = Self.meta(Self.table("core", type: "Occurrence", file: "o.txt", fields: Self.field("sex", 1)))
        let entries = [
            ("x/meta.xml", meta), ("x/o.txt", "1,m\n"), ("x/eml.xml", "<eml><dataset><title>T</title></dataset></eml>"),
        ]
        try ArchiveBuilder.write(entries.map { ($0, Array($1.utf8)) }, as: .zip, to: path)
        let source = try OccurrenceSource.open(path)
        #expect(try source.all(.occurrenceID, .sex) == ["1|m"])
        #expect(source.metadata?.title == "T")
    }

    @Test func `occurrences of events are joined`() throws {
        let core = Self.table(
            "core", type: "Event", file: "e.txt",
            fields: Self.field("eventDate", 1) + Self.field("locality", 2) + Self.field("country", default: "US"))
        let occurrences = Self.table(
            "extension", type: "Occurrence", file: "o.txt",
            fields: Self.field("occurrenceID", 1) + Self.field("scientificName", 2) + Self.field("locality", 3))
        let other = Self.table("extension", type: "MeasurementOrFact", file: "none.txt", fields: "")
        let source = try open([
            "meta.xml": Self.meta(core, other, occurrences),
            "e.txt": "E1,2020-05-01,Here\nE2,2020-05-02,There\n",
            "o.txt": "E2,o1,Wren,Elsewhere\nE1,o2,Robin,\nE3,o3,Crow,\n",
        ])
        #expect(
            try source.all(.occurrenceID, .eventID, .eventDate, .scientificName, .locality, .country) == [
                "o1|E2|2020-05-02|Wren|Elsewhere|US", "o2|E1|2020-05-01|Robin|-|US", "!unknown-core-id",
            ])
    }

    @Test func `occurrences of taxa are joined`() throws {
        let core = Self.table("core", type: "Taxon", file: "t.txt", fields: Self.field("scientificName", 1))
        let occurrences = Self.table("extension", type: "Occurrence", file: "o.txt", fields: Self.field("sex", 1))
        let source = try open([
            "meta.xml": Self.meta(core, occurrences), "t.txt": "7,Troglodytes pacificus\n", "o.txt": "7,m\n7,f\n",
        ])
        #expect(
            try source.all(.taxonID, .scientificName, .sex) == [
                "7|Troglodytes pacificus|m", "7|Troglodytes pacificus|f",
            ])
    }

    @Test func `archives without occurrences say what they hold`() {
        let tables = [
            Self.table("core", type: "Taxon", file: "t.txt", fields: ""),
            Self.table("extension", type: "VernacularName", file: "v.txt", fields: ""),
        ]
        #expect(
            throws: DarwinCoreArchiveError.noOccurrences(archive: folder.path, rowTypes: ["Taxon", "VernacularName"])
        ) {
            try open(["meta.xml": Self.meta(tables[0], tables[1]), "t.txt": "1\n", "v.txt": "1\n"])
        }
    }

    @Test func `cores that cannot be joined`() throws {
        let occurrences = Self.table("extension", type: "Occurrence", file: "o.txt", fields: Self.field("sex", 1))
        let event = Self.table("core", type: "Event", file: "e.txt", fields: Self.field("year", 1))
        let files = ["e.txt": "E1,2020\n", "o.txt": "E1,m\n"]
        let location = event.replacing("terms/Event", with: "terms/Location")
        #expect(throws: DarwinCoreArchiveError.unknownCore(archive: folder.path, rowType: "Location")) {
            try open(files.merging(["meta.xml": Self.meta(location, occurrences)]) { $1 })
        }
        let nameless = event.replacing("<id index=\"0\"/>", with: "")
        #expect(throws: DarwinCoreArchiveError.missingID(archive: folder.path, rowType: "Event")) {
            try open(files.merging(["meta.xml": Self.meta(nameless, occurrences)]) { $1 })
        }
    }

    @Test func `a repeated core id costs its rows, unless the core rows are the same`() throws {
        let occurrences = Self.table("extension", type: "Occurrence", file: "o.txt", fields: Self.field("sex", 1))
        let event = Self.table("core", type: "Event", file: "e.txt", fields: Self.field("year", 1))
        let source = try open([
            "meta.xml": Self.meta(event, occurrences),
            "e.txt": "E1,2020\nE1,2021\nE2,2022\nE3,2023\nE3,2023\nE1,2020\n",
            "o.txt": "E1,m\nE2,m\nE3,f\nE4,f\n",
        ])
        #expect(
            try source.all(.eventID, .year, .sex) == [
                "!repeated-core-id", "E2|2022|m", "E3|2023|f", "!unknown-core-id",
            ])
    }

    private static let brokenExtensions = [
        "<extension rowType='http://example.org/X'><files><location>x.txt</location></files></extension>",
        "<extension rowType='http://example.org/X'><coreid index='0'/></extension>",
        "<extension encoding='UTF-7'><files><location>x.txt</location></files><coreid index='0'/></extension>",
        "<extension><files><location>x.txt</location></files><coreid index='many'/></extension>",
        "<extension fieldsTerminatedBy='::'><files><location>x.txt</location></files><coreid index='0'/></extension>",
        "<extension><files><location>x.txt</location></files><coreid index='0'/><field index='1'/></extension>",
        "<extension><files><location>gone.txt</location></files><coreid index='0'/></extension>",
    ]

    @Test(arguments: brokenExtensions) func `a broken extension costs nothing of the core`(_ element: String) throws {
        let core = Self.table("core", type: "Occurrence", file: "o.txt", fields: Self.field("sex", 1))
        let source = try open(["meta.xml": Self.meta(core, element), "o.txt": "1,m\n", "x.txt": "1,\"\n"])
        #expect(try source.all(.occurrenceID, .sex) == ["1|m"])
    }

    @Test func `a broken extension of occurrences is named where there are no others`() throws {
        let core = Self.table("core", type: "Event", file: "e.txt", fields: Self.field("year", 1))
        let element = "<extension rowType='http://rs.tdwg.org/dwc/terms/Occurrence'><coreid index='0'/></extension>"
        #expect {
            try open(["meta.xml": Self.meta(core, element), "e.txt": "1,2020\n"])
        } throws: { error in
            "\(error)".contains("<extension> names no file")
        }
    }

    @Test func `the core in memory is limited`() throws {
        try folder.write("meta.xml", Self.meta(Self.table("core", type: "Event", file: "e.txt", fields: "")))
        try folder.write("e.txt", (0..<100).map { "E\($0)\n" }.joined())
        let archive = try DarwinCoreArchive(container: DirectoryContainer(path: folder.path, limits: .init()))
        let core = try #require(archive.descriptor?.core)
        #expect(throws: DarwinCoreArchiveError.coreTooLarge(archive: folder.path, limit: 1_000)) {
            try CoreRows(of: archive, core: core, memoryLimit: 1_000)
        }
        #expect(try CoreRows(of: archive, core: core).row("E99").fields == ["E99"])
    }

    @Test func `files that are not there`() throws {
        let meta = Self.meta(Self.table("core", type: "Occurrence", file: "../o.txt", fields: Self.field("sex", 1)))
        #expect(throws: DarwinCoreArchiveError.missingFile(archive: folder.path, name: "../o.txt")) {
            try open(["meta.xml": meta])
        }
    }

    @Test func `without a descriptor there is one data file`() throws {
        #expect(throws: DarwinCoreArchiveError.ambiguousData(archive: folder.path, files: [])) { try open([:]) }
        let source = try open(["a.csv": "sex,year\nm,1\n", "EML.xml": "<eml><dataset><title>T</title></dataset></eml>"])
        #expect(source.metadata?.title == "T")
        #expect(try source.all(.sex, .year) == ["m|1"])
        #expect(throws: DarwinCoreArchiveError.ambiguousData(archive: folder.path, files: ["a.csv", "b.csv"])) {
            try open(["b.csv": "sex\n"])
        }
    }

    @Test func `malformed documents are errors`() {
        #expect(throws: MarkupError.self) { try open(["meta.xml": "<archive>", "o.txt": ""]) }
        #expect(throws: MarkupError.self) { try open(["meta.xml": "<!DOCTYPE a []><archive/>", "o.txt": ""]) }
    }

    @Test func `two terms of one name keep their identifiers`() throws {
        let fields = """
            <field index="1" term="http://rs.tdwg.org/ac/terms/note"/><field index="2" term="http://example.org/note"/>
            <field index="3" term="http://purl.org/dc/terms/type"/>
            <field index="4" term="http://purl.org/dc/elements/1.1/type"/>
            """
        let files = [
            "meta.xml": Self.meta(Self.table("core", type: "Occurrence", file: "o.txt", fields: fields)),
            "o.txt": "1,a,b,c,d\n",
        ]
        let both = ["http://purl.org/dc/terms/type", "http://purl.org/dc/elements/1.1/type"]
        #expect(throws: ColumnMappingError.ambiguousTerm(.type, columns: both)) { try open(files) }
        var options = OccurrenceSource.Options()
        options.columns = try ColumnMapping(parsing: "\(both[1])=type")
        let source = try open(files, options: options)
        #expect(
            source.names == [
                "occurrenceID", "(http://rs.tdwg.org/ac/terms/note)", "(http://example.org/note)", "(\(both[0]))",
                "type",
            ])
        #expect(try source.all(.type) == ["d"])
    }
}

@Suite(.enabled(if: TestData.isPresent, "\(TestData.absence)"))
struct SampleArchiveTests {
    private func open(_ name: String) throws -> OccurrenceSource {
        try OccurrenceSource.open(TestData.path("dwca/\(name)"))
    }

    @Test(arguments: [
        ("dwca-simple-test-archive.zip", ["-", "-"]), ("dwca-simple-test-archive.tgz", ["3", "0"]),
        ("dwca-noheaders-1.zip", ["-", "-"]), ("dwca-meta-default-values", ["-", "-"]),
    ])
    func `simple archives`(_ name: String, ids: [String]) throws {
        let source = try open(name)
        #expect(source.names == ["occurrenceID", "basisOfRecord", "locality", "family", "scientificName"])
        #expect(source.metadata?.title == "simple-test-archive" && source.metadata?.publisher == "BBPF")
        #expect(
            try source.all(.occurrenceID, .basisOfRecord, .locality, .family, .scientificName) == [
                "\(ids[0])|Observation|Borneo|Tetraodontidae|tetraodon fluviatilis",
                "\(ids[1])|Observation|Mumbai|Osphronemidae|betta splendens",
            ])
    }

    @Test func `a table without descriptor`() throws {
        let source = try open("dwca-simple-csv.zip")
        #expect(source.columns.count == 42 && source.columns[16].term == .decimalLatitude && source.metadata == nil)
        #expect(source.columns[0] == SourceColumn(name: "gbifid", term: nil))
        let name = "Lactoria cornuta (Linnaeus, 1758)"
        #expect(
            try source.all(.scientificName, .countryCode, .decimalLatitude, .identifiedBy, .recordedBy) == [
                "\(name)|JP|-|-|-", "\(name)|AU|-31.98333|Hutchins, J.B.|Farrant, A.",
                "\(name)|PH|14.25|-|Daniel Yanke",
            ])
    }

    /// The row holds U+0085, which ends a line elsewhere but not here.
    @Test func `a next line character ends no row`() throws {
        let source = try open("dwca-utf8-eol-test.zip")
        #expect(source.metadata?.title == "GBIF Occurrence Download 0000006-130717145108713")
        #expect(
            try source.all(.occurrenceID, .scientificName, .decimalLatitude, .countryCode, .identifiedBy) == [
                "189433446|Tetraodon fluviatilis Hamilton, 1822|22.0|MM|Ã\u{85}hlander, E"
            ])
    }

    @Test func `a star of taxa`() throws {
        let path = TestData.path("dwca/dwca-star-test-archive.zip")
        #expect(throws: DarwinCoreArchiveError.noOccurrences(archive: path, rowTypes: ["Taxon", "VernacularName"])) {
            try OccurrenceSource.open(path)
        }
        let archive = try DarwinCoreArchive(container: try ContainerKind.zip.open(path))
        let descriptor = try #require(archive.descriptor)
        let genera = try rows(of: archive.rows(of: descriptor.core)).map { $0[4] }
        #expect(genera == ["Struthio", "Alectoris", "Peliperdix", "Dendroperdix"])
        let names = try rows(of: archive.rows(of: descriptor.extensions[0])).map { "\($0[0]) \($0[1])" }
        #expect(names == ["1 ostrich", "1 volstruis", "1 strutsi", "2 Asitiese patrys"])
        #expect(try archive.metadata()?.title == "star-test-archive")
    }

    private func rows(of reader: TableReader) throws -> [[String]] {
        var rows: [[String]] = []
        while case .row(let row) = try reader.next() { rows.append(row.fields) }
        return rows
    }
}
