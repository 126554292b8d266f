import Exchange
import FoundationEssentials

/// Some hundred rows that go through an import together.
struct ImportChunk: Sendable {
    /// Rows in a chunk; one append takes the rows of several chunks.
    static let size = 300

    /// Its index among the chunks of the file.
    let number: Int
    /// Rows as the file's reader returns them, including those that cannot be read.
    private(set) var records: [OccurrenceRecord] = []
    /// Repetitions of earlier rows, by the row's number.
    var repetitions: [Int: RowRepetition] = [:]
    /// Bytes of the file read up to the chunk's end.
    private(set) var bytesRead = 0

    /// The next rows of a file; nil at its end.
    static func next(of source: OccurrenceSource, number: Int) throws -> ImportChunk? {
        var chunk = ImportChunk(number: number)
        chunk.records.reserveCapacity(size)
        while chunk.records.count < size, let record = try source.next() { chunk.records.append(record) }
        chunk.bytesRead = source.progress.consumed
        return chunk.records.isEmpty ? nil : chunk
    }

    /// The rows that could not be read at all, so that their records are unknown.
    var unreadable: Int { records.count { if case .rejected = $0 { true } else { false } } }

    /// The rows that could be read.
    var rows: [OccurrenceRow] {
        records.compactMap { if case .occurrence(let row) = $0 { row } else { nil } }
    }
}

/// A rejected row, with all its columns in the file of rejected rows.
struct RejectedOccurrence: Sendable {
    let row: Int
    let line: Int
    let file: String
    let reason: String
    let detail: String
    let fields: [String]

    init(_ row: OccurrenceRow, _ rejection: RowRejection) {
        (self.row, line, file, fields) = (row.number, row.line, row.file, row.fields)
        (reason, detail) = (rejection.reason, rejection.detail)
    }

    init(_ rejection: RejectedRow, file: String) {
        (row, line, self.file, fields) = (rejection.number, rejection.line, file, rejection.fields)
        (reason, detail) = (rejection.fault.code, rejection.fault.description)
    }
}

/// The outcome of a chunk.
struct ImportChunkResult: Sendable {
    let rows: Int
    let bytesRead: Int
    var tally = ImportTally()
    /// In the order of the rows.
    var rejected: [RejectedOccurrence] = []

    init(_ chunk: ImportChunk) {
        rows = chunk.records.count
        bytesRead = chunk.bytesRead
    }
}
