import Domain
import JSON
import TestRandom
import Testing

@testable import Exchange

/// What is written is read back with the readers of the project, whatever the text.
struct OccurrenceEncoderTests {
    private static let pieces = [
        "", "a", "wren", ",", "\"", "\"\"", "\n", "\r", "\r\n", "\t", "\u{0B}", "\u{0C}", "\u{01}", "\u{1E}", "é", "鳥",
        "👩‍🔬", " ", "x\"y", "\u{FEFF}", "'", "\\", "\\n", "0.5", "-1e5", "\u{85}", "\u{2028}", "\u{2029}", "Â", "â",
        "null", "{}", "=1+1", "\u{7F}",
    ]

    private static func occurrence(using random: inout RandomSource) -> OutgoingOccurrence {
        var occurrence = OutgoingOccurrence()
        for column in OccurrenceColumn.allCases where random.isTrue(oneIn: 2) {
            occurrence[column] = (0..<random.int(in: 0...4)).map { _ in random.element(of: pieces) }.joined()
        }
        if random.isTrue(oneIn: 2) {
            occurrence[.decimalLatitude] = "\(random.int(in: -90...90))"
            occurrence[.decimalLongitude] = "\(random.int(in: -1800...1800)).5"
        }
        return occurrence
    }

    private static func bytes(_ occurrences: [OutgoingOccurrence], _ format: ExportFormat) throws -> [UInt8] {
        var encoder = try #require(format.encoder)
        var bytes: [UInt8] = []
        encoder.begin(into: &bytes)
        for occurrence in occurrences { encoder.append(occurrence, to: &bytes) }
        encoder.end(into: &bytes)
        #expect(encoder.replacedCharacters == occurrences.reduce(0) { $0 + $1.replacedCharacters })
        return bytes
    }

    private static func values(_ occurrence: OutgoingOccurrence) -> [[UInt8]] {
        OccurrenceColumn.allCases.map { Array((occurrence[$0] ?? "").utf8) }
    }

    @Test(arguments: RandomSource.seeds(60))
    func `tables have as many fields in every row as in the header, and the values that were set`(_ seed: UInt64) throws
    {
        var random = RandomSource(seed: seed)
        let occurrences = (0..<random.int(in: 0...20)).map { _ in Self.occurrence(using: &random) }
        let expected = [OccurrenceColumn.allCases.map { Array($0.name.utf8) }] + occurrences.map(Self.values)
        for (format, dialect) in [
            (ExportFormat.csv, DelimitedDialect(delimiter: 0x2C, quote: 0x22)),
            (ExportFormat.tsv, DelimitedDialect(delimiter: 0x09, quote: nil, lineEnd: .lineFeed)),
        ] {
            let rows = try DelimitedReader(
                source: MemoryByteSource(try Self.bytes(occurrences, format), largestPiece: random.int(in: 1...500)),
                file: "test", dialect: dialect, encoding: .utf8
            ).all()
            let fields = rows.map { row -> [[UInt8]] in
                guard case .row(_, _, let fields) = row else { return [] }
                return fields.map { Array($0.utf8) }
            }
            #expect(fields == expected, "\(format)")
        }
    }

    @Test(arguments: RandomSource.seeds(60))
    func `GeoJSON has the values that were set`(_ seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        let occurrences = (0..<random.int(in: 0...20)).map { _ in Self.occurrence(using: &random) }
        let whole = try Self.bytes(occurrences, .geojson)
        let features = try #require(try JSONValue(parsing: whole)["features"]?.items)
        #expect(features.count == occurrences.count)
        let lines = try Self.bytes(occurrences, .geojsonseq).split(separator: 0x1E)
        #expect(lines.count == occurrences.count && lines.allSatisfy { $0.last == 0x0A })
        let among = whole.split(separator: 0x0A).dropFirst().dropLast()
        #expect(among.map { $0.last == 0x2C ? $0.dropLast() : $0 } == lines.map { $0.dropLast() })
        for (feature, occurrence) in zip(features, occurrences) {
            let properties = try #require(feature["properties"])
            for column in OccurrenceColumn.allCases {
                let value = try #require(properties[column.name])
                if let text = occurrence[column] {
                    let isEqual = value.string.map { Array($0.utf8) == Array(text.utf8) }
                    #expect(isEqual ?? (value.number == Double(text)), "\(column)")
                } else {
                    #expect(value == .null, "\(column)")
                }
            }
        }
    }

    @Test func `a record without a public place has no geometry`() throws {
        var occurrence = OutgoingOccurrence()
        occurrence[.occurrenceID] = "a\"b"
        let text = String(decoding: try Self.bytes([occurrence], .geojsonseq), as: UTF8.self)
        #expect(
            text.hasPrefix(
                #"\#u{1E}{"type":"Feature","id":"a\"b","geometry":null,"properties":{"occurrenceID":"a\"b","#))
        occurrence[.decimalLatitude] = "47.65"
        occurrence[.decimalLongitude] = "-122.4"
        let placed = String(decoding: try Self.bytes([occurrence], .geojson), as: UTF8.self)
        #expect(placed.contains(#""geometry":{"type":"Point","coordinates":[-122.4,47.65]},"#))
        #expect(placed.contains(#""decimalLatitude":47.65,"decimalLongitude":-122.4,"geodeticDatum":null"#))
    }

    @Test func `no occurrences are an empty text of each format`() throws {
        let header = OccurrenceColumn.allCases.map(\.name)
        #expect(try Self.bytes([], .csv) == Array((header.joined(separator: ",") + "\r\n").utf8))
        #expect(try Self.bytes([], .tsv) == Array((header.joined(separator: "\t") + "\n").utf8))
        #expect(try Self.bytes([], .geojson) == Array("{\"type\":\"FeatureCollection\",\"features\":[\n]}\n".utf8))
        #expect(try Self.bytes([], .geojsonseq).isEmpty)
        #expect(ExportFormat.dwca.encoder == nil)
    }

    @Test(arguments: [
        ("0", true), ("-0", true), ("12", true), ("0.5", true), ("-1.25e-7", true), ("1E+5", true), ("", false),
        ("-", false), ("01", false), ("-01", false), (".5", false), ("5.", false), ("1e", false), ("+1", false),
        ("0x1", false), ("1 ", false), ("NaN", false),
    ])
    func `numbers are those of JSON`(_ text: String, isNumber: Bool) {
        #expect(JSONNumber.isNumber(Array(text.utf8)[...]) == isNumber)
    }
}

struct OutgoingOccurrenceTests {
    @Test(arguments: [
        ("a\tb", "a b", 1), ("a\r\nb", "a  b", 2), ("\u{0B}\u{0C}\u{00}", "   ", 3),
        ("\u{85}x\u{2028}\u{2029}", " x  ", 3),
        ("é鳥 Â â", "é鳥 Â â", 0), ("\u{7F}\u{A0}", "\u{7F}\u{A0}", 0),
    ])
    func `each control character becomes one space and is counted`(_ text: String, _ expected: String, count: Int) {
        var occurrence = OutgoingOccurrence()
        occurrence[.locality] = "x"
        occurrence[.occurrenceRemarks] = text
        occurrence[.sex] = "y"
        #expect(occurrence[.occurrenceRemarks] == expected && occurrence.replacedCharacters == count)
        #expect(occurrence[.locality] == "x" && occurrence[.sex] == "y")
    }

    @Test func `the newest value counts, and an empty one is none`() {
        var (one, other) = (OutgoingOccurrence(), OutgoingOccurrence())
        one[.sex] = "male"
        #expect(one != other)
        one[.sex] = "female"
        other[.sex] = "female"
        #expect(one[.sex] == "female" && one == other)
        one[.sex] = ""
        #expect(one[.sex] == nil)
        other[.sex] = nil
        #expect(one == other && one == OutgoingOccurrence())
    }
}
