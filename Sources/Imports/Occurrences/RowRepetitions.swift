import Postgres

/// A repetition of an earlier row's stream.
struct RowRepetition: Sendable, Hashable {
    let row: Int
    /// Ordinal among the rows of its stream; at least 2.
    let ordinal: Int
    /// Whether its content is the same as the first row's.
    let hasSameContent: Bool
}

extension RowRepetition {
    init(_ row: PostgresRow) throws {
        self.init(
            row: Int(try row.decode("row", as: Int64.self)), ordinal: Int(try row.decode("ordinal", as: Int64.self)),
            hasSameContent: try row.decode("same"))
    }
}

/// Reads repetitions in step with the file, a page at a time: both are in the order of the rows.
struct RowRepetitions {
    /// The repetitions from a row on, at most `limit`.
    typealias Pages = (_ row: Int, _ limit: Int) async throws -> [RowRepetition]

    private let size: Int
    private let pages: Pages
    private var page: ArraySlice<RowRepetition> = []
    private var isLast = false

    /// - Parameter size: repetitions in a page.
    init(size: Int = 5_000, _ pages: @escaping Pages) {
        (self.size, self.pages) = (size, pages)
    }

    /// The repetition that a row is; nil for the first of its stream. Call it for every row, in order.
    mutating func repetition(at row: Int) async throws -> RowRepetition? {
        page = page.drop { $0.row < row }
        if page.isEmpty, !isLast {
            page = try await pages(row, size)[...]
            isLast = page.count < size
        }
        return page.first?.row == row ? page.first : nil
    }
}
