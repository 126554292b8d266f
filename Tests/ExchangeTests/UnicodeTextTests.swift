import TestRandom
import Testing

@testable import Exchange

/// Files in UTF-16, and tables of which some bytes have been damaged.
struct UnicodeTextTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static func utf16(_ text: String, bigEndian: Bool = false, mark: Bool = true) -> [UInt8] {
        ((mark ? [0xFEFF] : []) + Array(text.utf16)).flatMap { unit in
            let bytes = [UInt8(truncatingIfNeeded: unit), UInt8(truncatingIfNeeded: unit >> 8)]
            return bigEndian ? bytes.reversed() : bytes
        }
    }

    private func rows(_ name: String, _ bytes: [UInt8]) throws -> [String] {
        try OccurrenceSource.open(try folder.write(name, bytes)).all(.locality, .sex)
    }

    @Test(arguments: [false, true], [false, true])
    func `UTF-16, as Excel saves Unicode text`(_ bigEndian: Bool, _ mark: Bool) throws {
        let bytes = Self.utf16("locality\tsex\r\nÅland 鳥 👩\tm\r\n\"a\tb\"\tf\r\n", bigEndian: bigEndian, mark: mark)
        #expect(try rows("a.txt", bytes) == ["Åland 鳥 👩|m", "a\tb|f"])
    }

    @Test func `half a character rejects its row`() throws {
        let text =
            Self.utf16("locality\tsex\n") + [0x3D, 0xD8] + Self.utf16("x\tm\nÅland\tf\nO\tm", mark: false) + [0x61]
        #expect(try rows("a.txt", text) == ["!invalid-bytes", "Åland|f", "!invalid-bytes"])
    }

    @Test func `UTF-32 is rejected`() throws {
        let path = try folder.write("a.txt", [0xFF, 0xFE, 0, 0, 0x61, 0, 0, 0] as [UInt8])
        #expect(throws: TextEncodingError.unsupported(file: path, encoding: "UTF-32")) {
            try OccurrenceSource.open(path)
        }
    }

    @Test func `documents in UTF-16`() throws {
        let document = Self.utf16("<?xml version='1.0' encoding='UTF-16'?><a>é</a>")
        #expect(try MarkupParser.parse(document, file: "test.xml").text == "é")
    }

    @Test func `UTF-16 is transcoded alike whatever the pieces`() throws {
        var generator = RandomSource(seed: 25)
        let alphabet: [UInt16] = [0x61, 0xE9, 0x9CE5, 0xD83D, 0xDC69, 0xDFFF, 0x0A, 0xFFFD]
        for _ in 0..<500 {
            let units = (0..<Int.random(in: 2...12, using: &generator)).map { _ in
                alphabet.randomElement(using: &generator) ?? 0
            }
            let bytes: [UInt8] = [0xFF, 0xFE] + units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
            let piece = Int.random(in: 1...7, using: &generator)
            let source = try TextByteSource(MemoryByteSource(bytes, largestPiece: piece), file: "a")
            let read = try source.readBytes(upTo: 1_000)
            #expect(Array(read.prefix(3)) == ByteOrderMark.utf8)
            #expect(String(validating: read.dropFirst(3), as: UTF8.self) == String(validating: units, as: UTF16.self))
        }
    }

    @Test func `one bad byte leaves a file in UTF-8`() throws {
        let bytes = Array("locality,sex\nÅland,m\nB".utf8) + [0xE9] + Array("zier,f\nMünchen,m\n".utf8)
        #expect(try rows("a.csv", bytes) == ["Åland|m", "!invalid-bytes", "München|m"])
        let source = try OccurrenceSource.open(try folder.write("a.csv", bytes))
        while let record = try source.next() {
            guard case .rejected(let row, _) = record else { continue }
            #expect(row.fault.description.contains("save it again as UTF-8"))
        }
    }

    private static let kinds: [(String, TextEncoding)] = [
        ("a\nb\n", .utf8), ("é\n", .utf8), ("é", .utf8), ("a\n!\nb", .windows1252), ("!\n!\n", .windows1252),
        ("!\né\n", .utf8), ("é\n!\n", .utf8), ("a\n!\n鳥", .utf8), ("é!\na\n", .windows1252), ("!é\r!\r", .windows1252),
        ("!\r\né\r\n", .utf8), ("!é\né\n", .utf8), ("a\n\u{7F}\n", .utf8),
    ]

    @Test(arguments: kinds, [1, 2, 3, 1000])
    func `only a file without any valid line beyond ASCII is in Windows-1252`(
        _ kind: (String, TextEncoding), _ piece: Int
    ) {
        for bad: [UInt8] in [
            [0xE9], [0xC3], [0x80], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE9, 0x9B],
        ] {
            let bytes = kind.0.utf8.flatMap { $0 == UInt8(ascii: "!") ? bad + [0x20] : [$0] }
            var evidence = EncodingEvidence()
            var found: TextEncoding?
            for start in stride(from: 0, to: bytes.count, by: piece) where found == nil {
                found = evidence.take(Array(bytes[start..<min(start + piece, bytes.count)]))
            }
            #expect((found ?? evidence.finish()) == kind.1, "\(kind.0) \(bad)")
        }
    }
}
