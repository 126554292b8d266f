import Postgres

/// A repetition of an earlier row's stream.
struct RowRepetition: Sendable, Equatable {
    let row: Int
    /// Ordinal among the rows of its stream; at least 2.
    let ordinal: Int
    /// Whether its content is the same as the first row's.
    let hasSameContent: Bool
}

/// Reads repetitions in step with the file: both are in the order of the rows.
struct RowRepetitions {
    private var chunks: PostgresCopyOut.Iterator
    private var buffer: [UInt8] = []
    private var position = 0
    private var upcoming: RowRepetition?
    private var isFinished = false

    init(_ chunks: PostgresCopyOut) {
        self.chunks = chunks.makeAsyncIterator()
    }

    /// The repetition that a row is; nil for the first of its stream. Call it for every row, in order.
    mutating func repetition(at row: Int) async throws -> RowRepetition? {
        while upcoming.map({ $0.row < row }) ?? !isFinished { try await advance() }
        return upcoming?.row == row ? upcoming : nil
    }

    private mutating func advance() async throws {
        upcoming = nil
        while true {
            if let end = buffer[position...].firstIndex(of: UInt8(ascii: "\n")) {
                upcoming = Self.parse(buffer[position..<end])
                position = end + 1
                return
            }
            buffer.removeSubrange(..<position)
            position = 0
            guard let chunk = try await chunks.next() else {
                isFinished = true
                return
            }
            buffer += chunk
        }
    }

    private static func parse(_ line: ArraySlice<UInt8>) -> RowRepetition? {
        let numbers = line.split(separator: UInt8(ascii: "\t")).compactMap { Int(String(decoding: $0, as: UTF8.self)) }
        guard numbers.count == 3 else { return nil }
        return RowRepetition(row: numbers[0], ordinal: numbers[1], hasSameContent: numbers[2] == 1)
    }
}
