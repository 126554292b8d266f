import Testing

@testable import Exchange

/// The output of a reader, in a comparable form.
enum ReadRow: Equatable {
    case row(number: Int, line: Int, fields: [String])
    case rejected(number: Int, line: Int, fault: RowFault)
}

extension DelimitedReader {
    func all() throws -> [ReadRow] {
        var rows: [ReadRow] = []
        while let record = try next() {
            switch record {
            case .row(let row): rows.append(.row(number: row.number, line: row.line, fields: row.fields))
            case .rejected(let row): rows.append(.rejected(number: row.number, line: row.line, fault: row.fault))
            }
        }
        return rows
    }
}

struct DelimitedReaderTests {
    private func reader(
        _ bytes: [UInt8], dialect: DelimitedDialect = .csv, encoding: TextEncoding = .utf8,
        ignoredLines: Int = 0, limits: DelimitedLimits = .init(), piece: Int = .max
    ) -> DelimitedReader {
        DelimitedReader(
            source: MemoryByteSource(bytes, largestPiece: piece), file: "test.csv", dialect: dialect,
            encoding: encoding, ignoredLines: ignoredLines, limits: limits)
    }

    private func fields(_ text: String, dialect: DelimitedDialect = .csv) throws -> [[String]] {
        try reader(Array(text.utf8), dialect: dialect).all().map { row in
            guard case .row(_, _, let fields) = row else { return ["refused"] }
            return fields
        }
    }

    @Test func `rows and fields`() throws {
        #expect(try fields("a,b\nc,d\n") == [["a", "b"], ["c", "d"]])
        #expect(try fields("a,b\nc,d") == [["a", "b"], ["c", "d"]])
        #expect(try fields("a,\n,\n") == [["a", ""], ["", ""]])
        #expect(try fields("a,") == [["a", ""]])
        #expect(try fields("") == [])
    }

    @Test(arguments: ["\n", "\r\n", "\r"]) func `line ends`(_ end: String) throws {
        #expect(
            try fields("a,b\(end)\"c\(end)\",d\(end)\(end)e,f\(end)") == [["a", "b"], ["c\(end)", "d"], ["e", "f"]])
    }

    @Test func `a lone carriage return belongs to the value where lines end with line feed`() throws {
        #expect(try fields("a,b\r\nc\rd,e\r\r\nf\r") == [["a", "b"], ["c\rd", "e\r"], ["f"]])
    }

    @Test func `quotes`() throws {
        #expect(try fields(#""a","b ""c"", d","",e"f"#) == [["a", #"b "c", d"#, "", #"e"f"#]])
        #expect(try fields("\"a\nb\"\n\"c\"\n") == [["a\nb"], ["c"]])
        #expect(try fields("'a,b',\"c\"", dialect: .init(delimiter: 0x2C, quote: 0x27)) == [["a,b", "\"c\""]])
        #expect(try fields("\"a\tb\"\n", dialect: .tsv) == [["\"a", "b\""]])
    }

    @Test func `empty lines are no rows but an empty quoted field is`() throws {
        #expect(try fields("\n\na\n\n\"\"\n\n") == [["a"], [""]])
    }

    @Test func `numbers and lines`() throws {
        let rows = try reader(Array("h\n\n\"a\nb\"\nc\n".utf8)).all()
        #expect(
            rows == [
                .row(number: 1, line: 1, fields: ["h"]), .row(number: 2, line: 3, fields: ["a\nb"]),
                .row(number: 3, line: 5, fields: ["c"]),
            ])
    }

    @Test func `header gives names and the width, and rows may end early`() throws {
        let reader = reader(Array("\u{FEFF} a ,b,\n1,2,3\n1,2\n1,2,3,4\n5,6,7".utf8))
        #expect(try reader.readHeader() == ["a", "b", "column 3"])
        #expect(
            try reader.all() == [
                .row(number: 1, line: 2, fields: ["1", "2", "3"]),
                .row(number: 2, line: 3, fields: ["1", "2"]),
                .rejected(number: 3, line: 4, fault: .ragged(most: 3, actual: 4)),
                .row(number: 4, line: 5, fields: ["5", "6", "7"]),
            ])
    }

    @Test func `headers that cannot be used`() {
        #expect(throws: DelimitedError.missingHeader(file: "test.csv")) { try reader([]).readHeader() }
        #expect(throws: DelimitedError.missingHeader(file: "test.csv")) { try reader([0xEF, 0xBB, 0xBF]).readHeader() }
        #expect(throws: DelimitedError.duplicateColumn(file: "test.csv", name: "a")) {
            try reader(Array("a,b,a\n".utf8)).readHeader()
        }
        #expect(throws: DelimitedError.faultyHeader(file: "test.csv", fault: .nul(column: 2))) {
            try reader(Array("a,b\0\n".utf8)).readHeader()
        }
    }

    @Test func `ignored lines are counted as lines`() throws {
        let text = "# \"one\n\n# three\r\na,b\n"
        #expect(
            try reader(Array(text.utf8), ignoredLines: 3).all() == [.row(number: 1, line: 4, fields: ["a", "b"])])
        #expect(try reader(Array("x\ry\rz\r".utf8), ignoredLines: 2).all() == [.row(number: 1, line: 3, fields: ["z"])])
        #expect(try reader(Array("x\n".utf8), ignoredLines: 2).all() == [])
    }

    @Test func `text after a closing quote rejects the row`() throws {
        let rows = try reader(Array("\"He said \"hi\" there\",x\n\"a\"\r,b\na,b\n".utf8)).all()
        #expect(
            rows == [
                .rejected(number: 1, line: 1, fault: .textAfterClosingQuote(column: 1)),
                .rejected(number: 2, line: 2, fault: .textAfterClosingQuote(column: 1)),
                .row(number: 3, line: 3, fields: ["a", "b"]),
            ])
    }

    @Test func `invalid bytes and NUL reject the row`() throws {
        let bytes = Array("a,".utf8) + [0xE9] + Array("\nb\0,c\nd,".utf8) + [0xC3] + Array(",".utf8) + [0xA9]
        #expect(
            try reader(bytes + Array("\né,f\n".utf8)).all() == [
                .rejected(number: 1, line: 1, fault: .invalidBytes(column: 2, encoding: .utf8)),
                .rejected(number: 2, line: 2, fault: .nul(column: 1)),
                .rejected(number: 3, line: 3, fault: .invalidBytes(column: 2, encoding: .utf8)),
                .row(number: 4, line: 4, fields: ["é", "f"]),
            ])
    }

    @Test func `Windows-1252`() throws {
        #expect(
            try reader([0x80, 0x2C, 0xE9, 0x9F, 0x0A, 0x61, 0x81, 0x0A], encoding: .windows1252).all() == [
                .row(number: 1, line: 1, fields: ["€", "éŸ"]),
                .rejected(number: 2, line: 2, fault: .invalidBytes(column: 1, encoding: .windows1252)),
            ])
    }

    @Test func `limits`() throws {
        var limits = DelimitedLimits()
        (limits.fieldBytes, limits.rowBytes, limits.columns) = (4, 10, 4)
        let text = "abcd,e\nabcde,f\n1,2,3,4,5\naaaa,bbbb,cccc,d\ng\n"
        for piece in [1, 3, 100] {
            #expect(
                try reader(Array(text.utf8), limits: limits, piece: piece).all() == [
                    .row(number: 1, line: 1, fields: ["abcd", "e"]),
                    .rejected(number: 2, line: 2, fault: .fieldTooLong(column: 1, limit: 4)),
                    .rejected(number: 3, line: 3, fault: .tooManyColumns(limit: 4)),
                    .rejected(number: 4, line: 4, fault: .rowTooLong(limit: 10)),
                    .row(number: 5, line: 5, fields: ["g"]),
                ])
        }
        let endless = reader(Array("a\n\"bcdef\",\nb\n".utf8), limits: limits)
        #expect(throws: DelimitedError.quotedFieldTooLong(file: "test.csv", line: 2, limit: 4)) { try endless.all() }
        #expect(try endless.next() == nil, "nothing may follow what cannot be told apart")
    }

    @Test func `an unclosed quote ends the reading`() throws {
        let reader = reader(Array("a\n\"b\nc\nd".utf8))
        #expect(try reader.next() != nil)
        #expect(throws: DelimitedError.unclosedQuote(file: "test.csv", line: 2)) { try reader.next() }
    }

    @Test func `a rejected row keeps what could be read`() throws {
        let reader = reader(Array("x\0y,".utf8) + [0xE9])
        guard case .rejected(let row) = try reader.next() else {
            Issue.record("the row is not rejected")
            return
        }
        #expect(row.fields == ["x\u{FFFD}y", "\u{FFFD}"])
    }

    @Test func `an endless line is rejected and passed over`() throws {
        let source = EndlessByteSource(byte: UInt8(ascii: "x"), count: 1 << 26)
        let reader = DelimitedReader(source: source, file: "test.csv", dialect: .csv, encoding: .utf8)
        #expect(
            try reader.all() == [.rejected(number: 1, line: 1, fault: .fieldTooLong(column: 1, limit: 1 << 20))])
    }
}

/// The same byte again and again.
final class EndlessByteSource: ByteSource {
    private let byte: UInt8
    private let count: Int
    private var position = 0

    init(byte: UInt8, count: Int) {
        (self.byte, self.count) = (byte, count)
    }

    var progress: ByteProgress { .init(consumed: position, total: count) }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let length = min(buffer.count, count - position)
        buffer[..<length].withMemoryRebound(to: UInt8.self) { $0.update(repeating: byte) }
        position += length
        return length
    }
}
