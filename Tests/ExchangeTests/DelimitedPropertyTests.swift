import TestRandom
import Testing

@testable import Exchange

struct DelimitedPropertyTests {
    private static let pieces = [
        "", "a", "wren", ",", "\"", "\"\"", "\n", "\r", "\r\n", "\t", ";", "é", "鳥", "👩‍🔬", " ", "x\"y", "\u{FEFF}",
        "'",
        "0.5", "\u{85}", "\u{2028}",
    ]

    private static func table(using generator: inout RandomSource) -> [[String]] {
        let columns = Int.random(in: 1...6, using: &generator)
        return (0..<Int.random(in: 0...12, using: &generator)).map { _ in
            (0..<columns).map { _ in
                (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                    pieces.randomElement(using: &generator) ?? ""
                }.joined()
            }
        }
    }

    private static func read(_ bytes: [UInt8], dialect: DelimitedDialect, piece: Int) throws -> [ReadRow] {
        try DelimitedReader(
            source: MemoryByteSource(bytes, largestPiece: piece), file: "test", dialect: dialect, encoding: .utf8
        ).all()
    }

    @Test(arguments: [DelimitedWriter.LineEnd.lineFeed, .carriageReturnLineFeed])
    func `what is written is read`(_ lineEnd: DelimitedWriter.LineEnd) throws {
        var generator = RandomSource(seed: 11)
        for _ in 0..<1_500 {
            let delimiter = Array(",;\t|".utf8).randomElement(using: &generator) ?? 0x2C
            let table = Self.table(using: &generator)
            var bytes: [UInt8] = []
            let writer = DelimitedWriter(delimiter: delimiter, lineEnd: lineEnd)
            for row in table { writer.append(row, to: &bytes) }
            let dialect = DelimitedDialect(delimiter: delimiter, quote: 0x22)
            let rows = try Self.read(bytes, dialect: dialect, piece: Int.random(in: 1...64, using: &generator))
            let fields = rows.map { row -> [String] in
                guard case .row(_, _, let fields) = row else { return [] }
                return fields
            }
            #expect(fields.map { $0.map { Array($0.utf8) } } == table.map { $0.map { Array($0.utf8) } })
        }
    }

    @Test func `every split gives the same rows`() throws {
        var generator = RandomSource(seed: 12)
        for _ in 0..<400 {
            let length = Int.random(in: 0...60, using: &generator)
            let bytes = (0..<length).map { _ in Array("a,\"\n\r;x\0é".utf8).randomElement(using: &generator) ?? 0x61 }
            let quote = Bool.random(using: &generator) ? UInt8(ascii: "\"") : nil
            let ends: [DelimitedDialect.LineEnd] = [.automatic, .lineFeed, .anyOf]
            let dialect = DelimitedDialect(
                delimiter: 0x2C, quote: quote, lineEnd: ends.randomElement(using: &generator) ?? .automatic)
            let whole = Result { try Self.read(bytes, dialect: dialect, piece: .max) }
            for piece in 1...max(length, 1) {
                let split = Result { try Self.read(bytes, dialect: dialect, piece: piece) }
                #expect(Self.outcome(split) == Self.outcome(whole), "\(bytes) in pieces of \(piece)")
            }
        }
    }

    /// Every byte of input that holds no quote and no fault is found again in the fields.
    @Test func `nothing is lost`() throws {
        var generator = RandomSource(seed: 13)
        for _ in 0..<500 {
            let length = Int.random(in: 0...80, using: &generator)
            let bytes = (0..<length).map { _ in Array("abc,\n".utf8).randomElement(using: &generator) ?? 0x61 }
            let rows = try Self.read(bytes, dialect: .csv, piece: 7)
            let found = rows.flatMap { row -> [UInt8] in
                guard case .row(_, _, let fields) = row else { return [] }
                return fields.flatMap { Array($0.utf8) }
            }
            #expect(found == bytes.filter { $0 != 0x2C && $0 != 0x0A })
        }
    }

    private static func outcome(_ result: Result<[ReadRow], any Error>) -> Outcome {
        switch result {
        case .success(let rows): .rows(rows)
        case .failure(let error): .failure(String(describing: error))
        }
    }

    private enum Outcome: Equatable {
        case rows([ReadRow])
        case failure(String)
    }
}

struct DelimitedWriterTests {
    private func text(_ rows: [[String]], _ writer: DelimitedWriter = .init()) -> String {
        var bytes: [UInt8] = []
        for row in rows { writer.append(row, to: &bytes) }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `only what needs quotes has them`() {
        #expect(text([["a", "b c", "d,e", "f\"g", "h\ni", ""]]) == "a,b c,\"d,e\",\"f\"\"g\",\"h\ni\",\r\n")
        #expect(text([[""], [" a "]]) == "\"\"\r\n\" a \"\r\n")
        #expect(text([["a,b", "c\td"]], .init(delimiter: 0x09, lineEnd: .lineFeed)) == "a,b\t\"c\td\"\n")
        #expect(text([["\u{FEFF}a", "b"]]) == "\"\u{FEFF}a\",b\r\n")
    }

    @Test func `rejected rows go to a file that is only made when needed`() throws {
        let folder = try TemporaryFolder()
        let unused = RejectedRowsFile(path: folder.path + "/unused.csv", columns: ["a"])
        try unused.close()
        #expect(throws: FileError.self) { try FileByteSource(path: folder.path + "/unused.csv") }

        let path = folder.path + "/refused.csv"
        let file = RejectedRowsFile(path: path, columns: ["a", "b"])
        let fault = RowFault.ragged(most: 2, actual: 3)
        try file.append(RejectedRow(number: 7, line: 9, fault: fault, fields: ["x,y"]), file: "in.csv")
        try file.close()
        let written = String(decoding: try FileByteSource(path: path).readBytes(upTo: 1000), as: UTF8.self)
        let expected = """
            row,line,file,reason,detail,a,b\r
            7,9,in.csv,ragged-row,3 fields where at most 2 are expected,"x,y"\r

            """
        #expect(written == expected)
        #expect(file.count == 1)
    }

    @Test func `a file that cannot be made is named`() {
        let file = RejectedRowsFile(path: "/nonexistent/refused.csv", columns: [])
        #expect(throws: FileError.cannotOpen(path: "/nonexistent/refused.csv", code: 2)) {
            try file.append(row: 1, line: 1, file: "f", reason: "r", detail: "d", fields: [])
        }
    }
}
