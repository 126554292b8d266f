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
