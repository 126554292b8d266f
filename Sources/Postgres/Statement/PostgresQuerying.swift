/// Something that runs statements: a connection, or a pool of them.
package protocol PostgresQuerying: Sendable {
    /// Runs one statement in autocommit (or in the transaction that the connection is in).
    ///
    /// It returns only after the server has confirmed the end of the statement's transaction: a deferred constraint, or
    /// a commit that fails, is an error. A cancelled task gets ``PostgresError/Kind/cancelled`` at once; a statement
    /// that was already sent runs on, and only its result is dropped.
    func query(_ sql: SQL, from caller: CallSite) async throws(PostgresError) -> PostgresResult
}

extension PostgresQuerying {
    /// Runs one statement; see ``query(_:from:)``. `file` and `line` are for errors.
    @discardableResult
    /// Runs one statement; see ``PostgresQuerying/query(_:from:)``.
    package func query(
        _ sql: SQL, file: String = #fileID, line: Int = #line
    ) async throws(PostgresError) -> PostgresResult {
        try await query(sql, from: CallSite(file: file, line: line))
    }
}
