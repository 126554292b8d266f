/// One row of a result.
package struct PostgresRow: Sendable {
    let result: PostgresResult
    /// Zero-based position in the result.
    package let index: Int

    /// Reads a column by its exact name, which no other column may have. It costs least in the order of the select
    /// list.
    ///
    /// - Throws: ``PostgresError/Kind/decoding`` when there is no such column, its type or contents do not fit `Value`,
    ///   or it is NULL.
    package func decode<Value: PostgresDecodable>(
        _ column: String, as type: Value.Type = Value.self, file: String = #fileID, line: Int = #line
    ) throws(PostgresError) -> Value {
        let index = try columnIndex(column, file, line)
        return try decode(index, as: type, file: file, line: line)
    }

    /// Reads a column that may be NULL; otherwise as above. (`Value` could be an optional there, but to find the type
    /// of an optional at run time would cost more than all the rest.)
    package func decode<Value: PostgresDecodable>(
        _ column: String, as type: Value?.Type = Value?.self, file: String = #fileID, line: Int = #line
    ) throws(PostgresError) -> Value? {
        let index = try columnIndex(column, file, line)
        guard result.handle.isNull(row: self.index, column: index) else {
            return try decode(index, as: Value.self, file: file, line: line)
        }
        guard Value.canDecode(result.handle.columnType(index)) else {
            throw failure(index, Value.self, .wrongType(result.handle.columnType(index)), file, line)
        }
        return nil
    }

    /// Reads a column by its zero-based position. Errors as by name.
    package func decode<Value: PostgresDecodable>(
        _ column: Int, as type: Value.Type = Value.self, file: String = #fileID, line: Int = #line
    ) throws(PostgresError) -> Value {
        let handle = result.handle
        guard (0..<handle.columnCount).contains(column) else {
            throw failure(column, Value.self, .malformed("there is no such column"), file, line)
        }
        guard handle.isBinary(column) else {
            throw failure(column, Value.self, .malformed("the column is not in binary format"), file, line)
        }
        defer { withExtendedLifetime(handle) {} }
        do throws(PostgresDecodingFault) {
            return try Value.decodeValue(handle.bytes(row: index, column: column), as: handle.columnType(column))
        } catch {
            throw failure(column, Value.self, error, file, line)
        }
    }

    private func columnIndex(_ column: String, _ file: String, _ line: Int) throws(PostgresError) -> Int {
        guard let index = result.handle.columnIndex(named: column) else {
            throw PostgresError(.decoding, "there is no column \(column)", caller: CallSite(file: file, line: line))
        }
        return index
    }

    private func failure(
        _ column: Int, _ type: Any.Type, _ fault: PostgresDecodingFault, _ file: String, _ line: Int
    ) -> PostgresError {
        let name = column < result.handle.columnCount && column >= 0 ? result.handle.columnName(column) : "\(column)"
        return PostgresError(
            .decoding, "column \(name), row \(index), as \(type): \(fault.reason)",
            caller: CallSite(file: file, line: line))
    }
}
