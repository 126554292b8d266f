internal import Exchange
internal import FoundationEssentials

/// Some hundred rows that go through an import together.
struct ImportChunk: Sendable {
    /// Rows in a chunk: about as many as one append takes.
    static let size = 300

    /// A row as the file's reader gives it.
    enum Item: Sendable {
        case row(OccurrenceRow, RowRepetition?)
        case unreadable(RefusedRow, file: String)
    }

    /// The how many-eth chunk of the file, from 0.
    let number: Int
    var items: [Item] = []
    /// Bytes of the file read up to the chunk's end.
    var bytesRead = 0
}

/// A row that became no record, with all that the file of refused rows says of it.
struct RefusedOccurrence: Sendable {
    let row: Int
    let line: Int
    let file: String
    let reason: String
    let detail: String
    let fields: [String]

    init(_ row: OccurrenceRow, _ refusal: RowRefusal) {
        (self.row, line, file, fields) = (row.number, row.line, row.file, row.fields)
        (reason, detail) = (refusal.reason, refusal.detail)
    }

    init(_ refusal: RefusedRow, file: String) {
        (row, line, self.file, fields) = (refusal.number, refusal.line, file, refusal.fields)
        (reason, detail) = (refusal.fault.code, refusal.fault.description)
    }
}

/// What became of a chunk.
struct ImportChunkResult: Sendable {
    let number: Int
    let rows: Int
    let bytesRead: Int
    var tally = ImportTally()
    /// In the order of the rows.
    var refused: [RefusedOccurrence] = []
    /// Streams beyond those that were staged: of the second and further equal rows.
    var furtherStreams: [UUID] = []

    init(_ chunk: ImportChunk) {
        number = chunk.number
        rows = chunk.items.count
        bytesRead = chunk.bytesRead
    }
}
