/// One row of a table: valid text in every field, as many fields as its table expects.
///
/// The fields stay bytes until they are asked for. A row that has been dropped before the next is read gives its memory
/// back to the reader, so that reading needs no allocation a row.
package struct DelimitedRow: Sendable {
    /// The row's number among the table's data rows, from 1, the header not counted.
    package let number: Int
    /// The physical line, from 1, in which the row begins.
    package let line: Int
    private let bytes: [UInt8]
    private let fieldEnds: [Int32]
    private let encoding: TextEncoding

    /// A row of fields that lie in `bytes`, each up to its end in `fieldEnds`, valid in `encoding`.
    init(number: Int, line: Int, bytes: [UInt8], fieldEnds: [Int32], encoding: TextEncoding) {
        (self.number, self.line) = (number, line)
        (self.bytes, self.fieldEnds, self.encoding) = (bytes, fieldEnds, encoding)
    }

    /// How many fields there are.
    package var count: Int { fieldEnds.count }

    /// The text of a field, counted from 0; empty for a field beyond the last.
    package subscript(index: Int) -> String {
        withBytes(of: index) { encoding.repairedText($0) }
    }

    /// True for a field without any byte, and beyond the last.
    package func isEmpty(_ index: Int) -> Bool {
        range(of: index).isEmpty
    }

    /// The field's bytes in the file's encoding, unquoted: the fast way for numbers. The buffer is valid inside `body`.
    package func withBytes<Result>(of index: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows
        -> Result
    {
        let range = range(of: index)
        return try bytes.withUnsafeBufferPointer { try body(UnsafeBufferPointer(rebasing: $0[range])) }
    }

    /// All fields as text.
    package var fields: [String] {
        (0..<count).map { self[$0] }
    }

    /// The same row in no more memory than it needs, for keeping.
    func compacted() -> DelimitedRow {
        DelimitedRow(
            number: number, line: line, bytes: Array(bytes[...]), fieldEnds: Array(fieldEnds[...]), encoding: encoding)
    }

    /// Bytes of memory that a compacted row takes, roughly.
    var memorySize: Int {
        MemoryLayout<DelimitedRow>.size + bytes.count + fieldEnds.count * MemoryLayout<Int32>.size + 2 * 32
    }

    private func range(of index: Int) -> Range<Int> {
        guard fieldEnds.indices.contains(index) else { return 0..<0 }
        let start = index == 0 ? 0 : Int(fieldEnds[index - 1])
        return start..<Int(fieldEnds[index])
    }
}

/// A row that is not taken over, with what is needed to tell its sender.
package struct RefusedRow: Sendable, Equatable {
    /// The row's number among the table's data rows, from 1, the header not counted.
    package let number: Int
    /// The physical line, from 1, in which the row begins.
    package let line: Int
    /// Why it is rejected.
    package let fault: RowFault
    /// Its fields as far as they could be read; invalid bytes and NUL are U+FFFD.
    package let fields: [String]

    /// A rejected row.
    package init(number: Int, line: Int, fault: RowFault, fields: [String]) {
        (self.number, self.line, self.fault, self.fields) = (number, line, fault, fields)
    }
}

/// The next item of a table's reader.
package enum DelimitedRecord: Sendable {
    /// A row as expected.
    case row(DelimitedRow)
    /// A row that must not be used.
    case refused(RefusedRow)
}
