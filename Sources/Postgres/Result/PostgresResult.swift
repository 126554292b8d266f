/// The answer to a statement. It owns the memory of its rows, which rows share; it may be passed between tasks.
package struct PostgresResult: Sendable {
    let handle: ResultHandle

    init(_ handle: ResultHandle) {
        self.handle = handle
    }

    /// How many rows came back.
    package var count: Int { handle.rowCount }

    /// How many rows a command has inserted, updated, deleted, selected or copied.
    package var affectedCount: Int { handle.affectedCount }

    /// The command as the server names it, such as `INSERT 0 1` or `COMMIT`.
    package var commandTag: String { handle.commandTag }

    /// Names of the columns, in order.
    package var columns: [String] { (0..<handle.columnCount).map { handle.columnName($0) } }

    /// The rows, in the order the server sent them.
    package var rows: PostgresRows { PostgresRows(result: self) }

    /// The first row, if there is one.
    package var first: PostgresRow? { rows.first }
}

/// The rows of a result.
package struct PostgresRows: RandomAccessCollection, Sendable {
    let result: PostgresResult

    /// Zero.
    package var startIndex: Int { 0 }

    /// The number of rows.
    package var endIndex: Int { result.count }

    /// The row at a zero-based position.
    package subscript(position: Int) -> PostgresRow {
        precondition(indices.contains(position), "no such row")
        return PostgresRow(result: result, index: position)
    }
}

extension PostgresResult {
    /// The row of a statement that always gives exactly one.
    ///
    /// - Throws: ``PostgresError/Kind/decoding`` when there is none, or there are several.
    package func onlyRow(file: String = #fileID, line: Int = #line) throws(PostgresError) -> PostgresRow {
        guard count == 1, let row = first else {
            throw PostgresError(
                .decoding, "one row was expected, \(count) came", caller: CallSite(file: file, line: line))
        }
        return row
    }
}
