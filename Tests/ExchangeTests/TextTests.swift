import TestRandom
import Testing

@testable import Exchange

struct TextTests {
    private func inspect(_ bytes: [UInt8], declared: TextEncoding? = nil, piece: Int = 5) throws -> TextInspection {
        try TextInspection(of: MemoryByteSource(bytes, largestPiece: piece), declared: declared)
    }

    @Test func `a mark wins over the declaration`() throws {
        let inspection = try inspect([0xEF, 0xBB, 0xBF, 0x61], declared: .windows1252)
        #expect(inspection.encoding == .utf8)
        #expect(inspection.sample == [0x61])
        #expect(inspection.sampleIsWhole)
    }

    @Test func `the declaration wins over the bytes`() throws {
        #expect(try inspect(Array("é".utf8), declared: .windows1252).encoding == .windows1252)
        #expect(try inspect([0xE9], declared: .utf8).encoding == .utf8)
    }

    @Test func `valid UTF-8 is UTF-8 and all else is Windows-1252`() throws {
        #expect(try inspect([]).encoding == .utf8)
        #expect(try inspect(Array("Ångström 鳥 👩‍🔬".utf8)).encoding == .utf8)
        #expect(try inspect([0x61, 0xE9, 0x62]).encoding == .windows1252)
        #expect(try inspect([0x61, 0xC3]).encoding == .windows1252)
    }

    @Test(arguments: [100, TextInspection.sampleSize - 1, TextInspection.sampleSize, 300_000])
    func `one byte far down decides`(_ place: Int) throws {
        var bytes = [UInt8](repeating: 0x61, count: 400_000)
        bytes[place] = 0xC3
        bytes[place + 1] = 0xA9
        #expect(try inspect(bytes, piece: 4096).encoding == .utf8)
        bytes[place + 1] = 0x61
        #expect(try inspect(bytes, piece: 4096).encoding == .windows1252)
    }

    @Test(arguments: ["é", "鳥", "👩"], 1...3)
    func `characters may lie across the pieces of a file`(_ character: String, _ before: Int) throws {
        for piece in [TextInspection.sampleSize, TextInspection.sampleSize + 256 * 1024] {
            var bytes = [UInt8](repeating: 0x61, count: piece - before) + Array(character.utf8)
            #expect(try inspect(bytes).encoding == .utf8)
            bytes[bytes.count - 1] = 0x61
            #expect(try inspect(bytes).encoding == .windows1252)
            bytes.removeLast()
            #expect(try inspect(bytes).encoding == .windows1252)
        }
    }

    @Test func `labels`() {
        for label in ["UTF-8", "utf8", " US-ASCII "] { #expect(TextEncoding(label: label) == .utf8) }
        for label in ["Windows-1252", "ISO-8859-1", "latin1"] { #expect(TextEncoding(label: label) == .windows1252) }
        #expect(TextEncoding(label: "UTF-16") == nil)
    }

    @Test func `the first invalid character is found, and all before it is valid`() {
        var generator = RandomSource(seed: 21)
        let pieces: [[UInt8]] = [
            [0x61], Array("é".utf8), Array("鳥".utf8), Array("👩".utf8), [0x80], [0xC0, 0x80], [0xED, 0xA0, 0x80],
            [0xF4, 0x90, 0x80, 0x80], [0xE0, 0x9F, 0xBF], [0xF0, 0x8F, 0xBF, 0xBF], [0xF5], [0xE9, 0x9B], [0xC3],
            Array("0123456789".utf8),
        ]
        for _ in 0..<5_000 {
            let bytes = (0..<Int.random(in: 0...6, using: &generator)).flatMap { _ in
                pieces.randomElement(using: &generator) ?? []
            }
            let isValid = String(validating: bytes, as: UTF8.self) != nil
            let found = bytes.withUnsafeBufferPointer { TextEncoding.utf8.firstInvalidOffset($0) }
            #expect((found == nil) == isValid, "\(bytes)")
            guard let found else { continue }
            #expect(String(validating: bytes.prefix(found), as: UTF8.self) != nil)
            #expect(String(decoding: bytes[found...], as: UTF8.self).unicodeScalars.first == "\u{FFFD}")
        }
    }

    @Test func `Windows-1252 agrees with ISO 8859 outside the controls`() {
        for byte in UInt8.min...UInt8.max where !(0x80...0x9F).contains(byte) {
            #expect(Windows1252.scalar(byte)?.value == UInt32(byte))
        }
        let undefined = (UInt8(0x80)...0x9F).filter { Windows1252.scalar($0) == nil }
        #expect(undefined == [0x81, 0x8D, 0x8F, 0x90, 0x9D])
        #expect(Windows1252.scalar(0x80) == "€" && Windows1252.scalar(0x9F) == "Ÿ" && Windows1252.scalar(0x93) == "“")
    }
}

struct DialectSnifferTests {
    private func dialect(_ text: String, file: String = "a.csv", whole: Bool = true) -> DelimitedDialect {
        DialectSniffer(sample: Array(text.utf8), sampleIsWhole: whole, file: file).dialect()
    }

    @Test(arguments: [",", "\t", ";", "|"]) func `delimiters`(_ delimiter: String) {
        let text = ["a", "b", "c"].joined(separator: delimiter) + "\n1,2;3|4\t5\n"
        #expect(dialect(text).delimiter == Array(delimiter.utf8)[0])
    }

    @Test func `delimiters in quotes do not count`() {
        #expect(dialect("\"a,b,c,d\";e;f\n").delimiter == UInt8(ascii: ";"))
        #expect(dialect("\n\n\"a\n,,,\"\tb\n").delimiter == UInt8(ascii: "\t"))
    }

    @Test func `one column and none are commas`() {
        #expect(dialect("species\nwren\n") == .csv)
        #expect(dialect("") == .csv)
    }

    @Test func `the name decides equal counts`() {
        #expect(dialect("a,b\tc\n", file: "x.csv").delimiter == UInt8(ascii: ","))
        #expect(dialect("a,b\tc\n", file: "x.TSV").delimiter == UInt8(ascii: "\t"))
        #expect(dialect("a,b\tc\n", file: "x.txt").delimiter == UInt8(ascii: "\t"))
    }

    @Test func `tabs with and without quotes`() {
        #expect(dialect("a\tb\n1\t\"x\ty\"\n").quote == 0x22)
        #expect(dialect("a\tb\n1\t\"Big\" tree\n").quote == nil)
        #expect(dialect("a\tb\n1\t\"open\n2\tc\n").quote == nil)
        #expect(dialect("a,b\n1,\"Big\" tree\n").quote == 0x22)
    }
}
