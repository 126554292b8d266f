import TestRandom
import Testing

@testable import Exchange

/// Random damage must end in rows or in errors, never in a trap or an endless loop.
struct FuzzTests {
    private static let descriptor = """
        <archive xmlns="http://rs.tdwg.org/dwc/text/" metadata="eml.xml"><core encoding="utf-8" fieldsTerminatedBy="\\t"
        linesTerminatedBy="\\n" fieldsEnclosedBy="" ignoreHeaderLines="1" rowType="http://rs.tdwg.org/dwc/terms/Event">
        <files><location>e.txt</location></files><id index="0"/>
        <field index="1" term="http://rs.tdwg.org/dwc/terms/year"/>
        </core><extension fieldsTerminatedBy="," rowType="http://rs.tdwg.org/dwc/terms/Occurrence"><files>
        <location>o.txt</location></files><coreid index="0"/>
        <field index="1" default="&lt;&#65;" term="http://rs.tdwg.org/dwc/terms/sex"/>
        </extension></archive>
        """

    private static let table =
        "occurrenceID,scientificName,locality\r\n1,\"Wren \"\"Pacific\"\"\",\"a\nb\"\r\n2,Ωmega,\r\n\"4\",,é\r\n"

    /// Reads to the end, or to the first error.
    private func exhaust(_ source: OccurrenceSource) throws -> Int {
        var count = 0
        while let record = try source.next() {
            count += 1
            guard case .occurrence(let row) = record else { continue }
            for column in source.columns { if let term = column.term { _ = row[term] } }
            _ = row.foreignValues
        }
        return count
    }

    @Test func `tables`() throws {
        var generator = RandomSource(seed: 51)
        let original = Array(Self.table.utf8)
        var (readable, failed) = (0, 0)
        for _ in 0..<4_000 {
            let bytes = original.mutated(using: &generator)
            let source = MemoryByteSource(bytes, largestPiece: Int.random(in: 1...50, using: &generator))
            let encoding: TextEncoding = Bool.random(using: &generator) ? .utf8 : .windows1252
            let sniffer = DialectSniffer(sample: bytes, sampleIsWhole: true, file: "fuzz.csv")
            let reader = DelimitedReader(
                source: source, file: "fuzz.csv", dialect: sniffer.dialect(), encoding: encoding)
            do {
                _ = try reader.readHeader()
                let rows = try reader.all()
                #expect(rows.count <= bytes.count)
                readable += 1
            } catch {
                #expect(error is DelimitedError)
                failed += 1
            }
        }
        #expect(readable > 500 && failed > 50)
    }

    @Test func `descriptors and their tables`() throws {
        var generator = RandomSource(seed: 52)
        let folder = try TemporaryFolder()
        try folder.write("e.txt", "id\tyear\nE1\t2020\n")
        try folder.write("o.txt", "E1,m\nE2,f\n")
        var (readable, failed) = (0, 0)
        for _ in 0..<2_000 {
            try folder.write("meta.xml", Array(Self.descriptor.utf8).mutated(using: &generator))
            do {
                _ = try exhaust(OccurrenceSource.open(folder.path))
                readable += 1
            } catch {
                failed += 1
            }
        }
        #expect(readable > 50 && failed > 500)
    }

    @Test func `metadata documents`() {
        var generator = RandomSource(seed: 53)
        let original = Array("<?xml version='1.0' encoding='utf-8'?>\(Self.descriptor)".utf8)
        var failed = 0
        for _ in 0..<4_000 {
            do {
                _ = try DatasetMetadata(eml: original.mutated(using: &generator), file: "eml.xml")
            } catch {
                #expect(error is MarkupError || error is TextEncodingError)
                failed += 1
            }
        }
        #expect(failed > 1_000)
    }

    @Test(
        .enabled(if: TestData.isPresent, "\(TestData.absence)"),
        arguments: [
            "dwca-simple-test-archive.zip", "dwca-simple-test-archive.tgz", "dwca-noheaders-1.zip",
            "dwca-simple-csv.zip",
            "dwca-star-test-archive.zip", "dwca-utf8-eol-test.zip",
        ])
    func `archives`(_ name: String) throws {
        var generator = RandomSource(seed: 54)
        let original = try TestData.bytes("dwca/\(name)")
        let folder = try TemporaryFolder()
        var failed = 0
        for _ in 0..<400 {
            let path = try folder.write("fuzz", original.mutated(using: &generator))
            do {
                _ = try exhaust(OccurrenceSource.open(path))
            } catch {
                failed += 1
            }
        }
        #expect(failed > 100)
    }

    @Test func `GeoJSON`() {
        var generator = RandomSource(seed: 55)
        let original = """
            {"type":"FeatureCollection","features":[{"type":"Feature","properties":{"a":"b","n":1.5,"z":null,"l":[1]},
            "geometry":{"type":"MultiPolygon","coordinates":[[[[0,0],[1,0],[1,1],[0,0]]]]}}]}
            """
        var failed = 0
        for _ in 0..<1_000 {
            do {
                _ = try GeoJSONReader.areas(in: Array(original.utf8).mutated(using: &generator))
            } catch {
                #expect(error is GeoJSONError)
                failed += 1
            }
        }
        #expect(failed > 200)
    }
}
