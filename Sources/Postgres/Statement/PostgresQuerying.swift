/// Something that runs statements: a connection, or a pool of them.
package protocol PostgresQuerying: Sendable {
    /// Runs one statement in autocommit (or in the transaction that the connection is in).
    ///
    /// It returns only after the server has confirmed the end of the statement's transaction: a deferred constraint, or
    /// a commit that fails, is an error. A cancelled task gets ``PostgresError/Kind/cancelled`` at once; a statement
    /// that was already sent runs on, and only its result is dropped.
    ///
    /// - Parameter limit: how long it may take, by default the configuration's
    ///   ``PostgresConfiguration/statementDeadline``.
    /// - Throws: also ``PostgresError/Kind/timeout`` when there is no answer in time. Then the connection is closed,
    ///   and a statement that was sent may or may not have taken effect.
    func query(
        _ sql: SQL, within limit: Duration?, from caller: CallSite
    ) async throws(PostgresError) -> PostgresResult
}

extension PostgresQuerying {
    /// Runs one statement; see ``PostgresQuerying/query(_:within:from:)``. `file` and `line` are for errors.
    @discardableResult
    package func query(
        _ sql: SQL, within limit: Duration? = nil, file: String = #fileID, line: Int = #line
    ) async throws(PostgresError) -> PostgresResult {
        try await query(sql, within: limit, from: CallSite(file: file, line: line))
    }
}
