import Testing

@testable import Exchange

extension OccurrenceSource {
    /// All rows as `term=value` of the terms asked for, `-` for none; rejected rows as `!code`.
    func all(_ terms: DarwinCoreTerm...) throws -> [String] {
        var rows: [String] = []
        while let record = try next() {
            switch record {
            case .occurrence(let row): rows.append(terms.map { row[$0] ?? "-" }.joined(separator: "|"))
            case .rejected(let row, _): rows.append("!\(row.fault.code)")
            }
        }
        return rows
    }

    var names: [String] { columns.map { $0.term.map(\.name) ?? "(\($0.name))" } }
}

struct OccurrenceSourceTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open(_ name: String, _ bytes: [UInt8], options: OccurrenceSource.Options = .init()) throws
        -> OccurrenceSource
    {
        try OccurrenceSource.open(try folder.write(name, bytes), options: options)
    }

    private func open(_ name: String, _ text: String, options: OccurrenceSource.Options = .init()) throws
        -> OccurrenceSource
    {
        try open(name, Array(text.utf8), options: options)
    }

    @Test func `a table with a mark DOS lines and foreign columns`() throws {
        let source = try open(
            "a.csv",
            "\u{FEFF}occurrenceid,dwc:scientificName,siteID,\r\n1,\"Wren, Pacific\",ABBY,\r\n2\r\n"
                + ",,,\r\n3,,,x\r\n4,,,,\r\n"
        )
        #expect(source.names == ["occurrenceID", "scientificName", "(siteID)", "(column 4)"])
        #expect(source.fileColumns == ["occurrenceid", "dwc:scientificName", "siteID", "column 4"])
        guard case .occurrence(let row) = try source.next() else {
            Issue.record("no first row")
            return
        }
        #expect(row[.scientificName] == "Wren, Pacific" && row[.year] == nil && row.number == 1 && row.line == 2)
        #expect(row.foreignValues.map(\.name) == ["siteID"] && row.foreignValues.map(\.value) == ["ABBY"])
        #expect(row.file == "a.csv" && row.fields == ["1", "Wren, Pacific", "ABBY", ""])
        #expect(try source.all(.occurrenceID, .scientificName) == ["2|-", "3|-", "!ragged-row"])
        #expect(source.progress.fraction == 1)
    }

    @Test func `Windows-1252 is recognised`() throws {
        let bytes = Array("locality;sex\n".utf8) + [0xC5] + Array("land;m\nO".utf8) + [0x92] + Array(";f\n".utf8)
        #expect(try open("a.csv", bytes).all(.locality, .sex) == ["Åland|m", "O’|f"])
        var options = OccurrenceSource.Options()
        options.encoding = .utf8
        #expect(try open("a.csv", bytes, options: options).all(.locality) == ["!invalid-bytes", "!invalid-bytes"])
    }

    @Test func `gzip`() throws {
        let path = folder.path + "/a.tsv.gz"
        try ArchiveBuilder.writeGzip(Array("sex\tyear\nm\t2020\n".utf8), to: path)
        let source = try OccurrenceSource.open(path)
        #expect(source.kind == .gzip)
        #expect(try source.all(.year, .sex) == ["2020|m"])
        #expect(source.progress.fraction == 1)
    }

    @Test func `columns are given terms`() throws {
        var options = OccurrenceSource.Options()
        options.columns = try ColumnMapping(parsing: "Art=scientificName,Datum=eventDate")
        let source = try open("a.csv", "Art;Datum;sex\nTroglodytes;2020-01-01;m\n", options: options)
        #expect(try source.all(.scientificName, .eventDate, .sex) == ["Troglodytes|2020-01-01|m"])
        options.columns = try ColumnMapping(parsing: "Ort=locality")
        #expect(throws: ColumnMappingError.unknownColumn("Ort", known: ["Art", "sex"])) {
            try open("a.csv", "Art,sex\n", options: options)
        }
    }

    @Test func `the dialect may be said`() throws {
        var options = OccurrenceSource.Options()
        options.dialect = DelimitedDialect(delimiter: UInt8(ascii: "~"), quote: UInt8(ascii: "'"))
        #expect(try open("a.csv", "sex~year\n'a~b'~2\n", options: options).all(.sex, .year) == ["a~b|2"])
    }

    @Test func `tables without any term are errors`() throws {
        #expect(throws: OccurrenceSourceError.noTerms(file: folder.path + "/a.csv", columns: ["x", "y"])) {
            try open("a.csv", "x,y\n1,2\n")
        }
        #expect(throws: DelimitedError.missingHeader(file: folder.path + "/a.csv")) { try open("a.csv", "") }
    }

    @Test(.enabled(if: TestData.isPresent, "\(TestData.absence)"))
    func `pacific wrens`() throws {
        let source = try OccurrenceSource.open(TestData.path("bbs_pacific_wren/occurrence.csv"))
        #expect(source.columns.count == 15 && source.columns.allSatisfy { $0.term != nil })
        var (count, total, ids, northernmost) = (0, 0, Set<String>(), 0.0)
        while let record = try source.next() {
            guard case .occurrence(let row) = record, let id = row[.occurrenceID],
                let latitude = row[.decimalLatitude].flatMap(Double.init),
                let individuals = row[.individualCount].flatMap(Int.init)
            else {
                Issue.record("row \(count + 1)")
                continue
            }
            count += 1
            total += individuals
            ids.insert(id)
            northernmost = max(northernmost, latitude)
            if count == 1 {
                #expect(
                    id == "bbs:6194867:7221:FALSE" && row[.eventDate] == "1984-06-20" && row[.locality] == "JUNEAU ALT")
            }
        }
        #expect(count == 5_480 && ids.count == 5_480)
        #expect(total > count && northernmost > 60 && northernmost < 62)
    }

    @Test(.enabled(if: TestData.isPresent, "\(TestData.absence)"))
    func `neon landbirds`() throws {
        let source = try OccurrenceSource.open(TestData.path("neon_landbirds/neon_landbirds.csv.gz"))
        #expect(source.columns.count == 15)
        #expect(
            source.names == [
                "(siteID)", "eventID", "year", "(bout)", "(pointkey)", "decimalLatitude", "decimalLongitude", "taxonID",
                "scientificName", "vernacularName", "taxonRank", "individualCount", "(observerDistance)",
                "(detectionMethod)", "(sexOrAge)",
            ])
        var (count, years, taxa, last) = (0, Set<String>(), Set<String>(), 0.0)
        while let record = try source.next() {
            guard case .occurrence(let row) = record else { continue }
            count += 1
            if let year = row[.year] { years.insert(year) }
            if let taxon = row[.taxonID] { taxa.insert(taxon) }
            if row.number != count || source.progress.fraction < last { Issue.record("row \(count) is out of order") }
            last = source.progress.fraction
        }
        #expect(count == 374_132)
        #expect(years.allSatisfy { $0.count == 4 } && taxa.count == 595)
        #expect(last == 1)
    }
}
