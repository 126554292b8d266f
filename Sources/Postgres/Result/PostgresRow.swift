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
        guard (0..<handle.columnCount).contains(column) else {
            throw failure(column, Value.self, "there is no such column", CallSite(file: file, line: line))
        }
        guard handle.isBinary(column) else {
            throw failure(column, Value.self, "the column is not in binary format", CallSite(file: file, line: line))
        }
        defer { withExtendedLifetime(handle) {} }
        do throws(PostgresDecodingFault) {
            return try Value.decodeValue(handle.bytes(row: index, column: column), as: handle.columnType(column))
        } catch {
            throw failure(column, Value.self, error.reason, CallSite(file: file, line: line))
        }
    }

    private func failure(_ column: Int, _ type: Any.Type, _ reason: String, _ caller: CallSite) -> PostgresError {
        let name = column < result.handle.columnCount && column >= 0 ? result.handle.columnName(column) : "\(column)"
        return PostgresError(.decoding, "column \(name), row \(index), as \(type): \(reason)", caller: caller)
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
        return result.handle.isNull(row: self.index, column: index)
    }
}
