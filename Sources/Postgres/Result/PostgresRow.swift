/// One row of a result.
package struct PostgresRow: Sendable {
    let result: PostgresResult
    /// Zero-based position in the result.
    package let index: Int

    /// Reads a column by its exact name, which no other column may have. It costs least in the order of the select
    /// list.
    ///
    /// - Throws: ``PostgresError/Kind/decoding`` when there is no such column, its type or contents do not fit `Value`,
    ///   or it is NULL and `Value` is not optional.
    package func decode<Value: PostgresDecodable>(
        _ column: String, as type: Value.Type = Value.self, file: String = #fileID, line: Int = #line
    ) throws(PostgresError) -> Value {
        guard let index = result.handle.columnIndex(named: column) else {
            throw PostgresError(
                .decoding, "there is no column \(column)", caller: CallSite(file: file, line: line))
        }
        return try decode(index, as: type, file: file, line: line)
    }

    /// Reads a column by its zero-based position. Errors as by name.
    package func decode<Value: PostgresDecodable>(
        _ column: Int, as type: Value.Type = Value.self, file: String = #fileID, line: Int = #line
    ) throws(PostgresError) -> Value {
        let handle = result.handle
        func failure(_ reason: String) -> PostgresError {
            let name = column < handle.columnCount && column >= 0 ? handle.columnName(column) : "\(column)"
            return PostgresError(
                .decoding, "column \(name), row \(index), as \(Value.self): \(reason)",
                caller: CallSite(file: file, line: line))
        }
        guard (0..<handle.columnCount).contains(column) else { throw failure("there is no such column") }
        guard handle.isBinary(column) else { throw failure("the column is not in binary format") }
        do throws(PostgresDecodingFault) {
            return try handle.withBytes(row: index, column: column) { (bytes) throws(PostgresDecodingFault) -> Value in
                try Value.decodeValue(bytes, as: handle.columnType(column))
            }
        } catch {
            throw failure(error.reason)
        }
    }

    /// Whether a column is NULL.
    ///
    /// - Throws: ``PostgresError/Kind/decoding`` when there is no such column.
    package func isNull(
        _ column: String, file: String = #fileID, line: Int = #line
    ) throws(PostgresError) -> Bool {
        guard let index = result.handle.columnIndex(named: column) else {
            throw PostgresError(
                .decoding, "there is no column \(column)", caller: CallSite(file: file, line: line))
        }
        return result.handle.withBytes(row: self.index, column: index) { $0 == nil }
    }
}
