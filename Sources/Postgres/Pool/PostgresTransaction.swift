/// Why a transaction did not take effect, or may not have; the phases need different answers.
package enum PostgresTransactionError: Error {
    /// It never began: no connection, or BEGIN failed.
    case begin(PostgresError)
    /// The body failed and nothing has been kept; `rollback` is set when rolling back failed as well, and then the
    /// connection was closed, which comes to the same.
    case body(any Error, rollback: PostgresError?)
    /// COMMIT failed. Nothing has been kept if the server said so; after a lost connection the outcome is unknown.
    case commit(PostgresError)

    /// The error itself, whichever the phase.
    package var underlying: any Error {
        switch self {
        case .begin(let error), .commit(let error): error
        case .body(let error, _): error
        }
    }
}

extension PostgresTransactionError: CustomStringConvertible, CustomDebugStringConvertible {
    /// One neutral sentence.
    package var description: String {
        switch self {
        case .begin: "A database transaction could not begin."
        case .body: "A database transaction was rolled back."
        case .commit: "A database transaction could not be committed."
        }
    }

    /// The phase and the error, without values.
    package var debugDescription: String {
        switch self {
        case .begin(let error): "begin failed: \(error.debugDescription)"
        case .body(let error, let rollback):
            "body failed: \(String(reflecting: error))"
                + (rollback.map { "; rollback failed: \($0.debugDescription)" } ?? "")
        case .commit(let error): "commit failed: \(error.debugDescription)"
        }
    }
}

/// The access mode of a transaction.
package enum PostgresAccessMode: String, Sendable {
    case readWrite = "READ WRITE"
    case readOnly = "READ ONLY"
}

extension PostgresPool {
    /// Runs `body` in a transaction (READ COMMITTED) on an exclusive connection: COMMIT when it returns, ROLLBACK when
    /// it throws.
    ///
    /// COMMIT is not interrupted by a cancellation of the task, so that its outcome is known.
    ///
    /// - Parameters:
    ///   - access: a standby takes read-only ones alone.
    ///   - limit: how long each statement may take that names no time of its own.
    /// - Throws: ``PostgresTransactionError``, and nothing else.
    package nonisolated(nonsending) func transaction<Value>(
        _ access: PostgresAccessMode = .readWrite, within limit: Duration? = nil, file: String = #fileID,
        line: Int = #line,
        _ body: (PostgresConnection) async throws -> Value
    ) async throws(PostgresTransactionError) -> Value {
        let caller = CallSite(file: file, line: line)
        do {
            return try await withExclusive(within: limit) { connection in
                try await begin(access, connection, caller)
                let value: Value
                do {
                    value = try await body(connection)
                } catch {
                    throw PostgresTransactionError.body(error, rollback: await rollBack(connection))
                }
                try await commit(connection, caller)
                return value
            }
        } catch let error as PostgresTransactionError {
            throw error
        } catch let error as PostgresError {
            throw .begin(error.attributed(query: nil, caller: caller))
        } catch {
            throw .body(error, rollback: nil)
        }
    }

    private func begin(
        _ access: PostgresAccessMode, _ connection: PostgresConnection, _ caller: CallSite
    ) async throws(PostgresTransactionError) {
        // Said in full: the server's or the role's defaults may be others.
        let begin = "BEGIN ISOLATION LEVEL READ COMMITTED \(access.rawValue)"
        do throws(PostgresError) {
            guard !Task.isCancelled else { throw .cancelledBeforeSending(begin, caller) }
            _ = try await connection.queryUncancelled(SQL(unsafeText: begin), from: caller)
        } catch {
            throw .begin(error)
        }
    }

    /// The server answers COMMIT with ROLLBACK, and no error, when a statement before it had failed.
    private func commit(_ connection: PostgresConnection, _ caller: CallSite) async throws(PostgresTransactionError) {
        do throws(PostgresError) {
            let result = try await connection.queryUncancelled("COMMIT", from: caller)
            guard result.commandTag == "COMMIT" else {
                throw PostgresError(
                    .server, "an earlier statement had failed, so the transaction was rolled back", query: "COMMIT",
                    caller: caller)
            }
        } catch {
            throw .commit(error)
        }
    }
}
