extension PostgresConnection: PostgresQuerying {
    /// Runs one statement; see ``PostgresQuerying/query(_:within:from:)``.
    package nonisolated func query(
        _ sql: SQL, within limit: Duration?, from caller: CallSite
    ) async throws(PostgresError) -> PostgresResult {
        guard !Task.isCancelled else { throw .cancelledBeforeSending(sql.text, caller) }
        let id = mailbox.makeID()
        let command = try makeCommand(id, sql, within: limit, caller)
        do throws(PostgresError) {
            return try await perform(id) { .query(command, $0) }
        } catch {
            throw error.attributed(query: sql.text, caller: caller)
        }
    }

    /// Like ``query(_:within:from:)``, but ignores cancellation: for BEGIN, COMMIT and ROLLBACK, whose outcome must be
    /// known.
    nonisolated func queryUncancelled(
        _ sql: SQL, within limit: Duration? = nil, from caller: CallSite
    ) async throws(PostgresError) -> PostgresResult {
        let command = try makeCommand(mailbox.makeID(), sql, within: limit, caller)
        return try await withCheckedContinuation { post(.query(command, $0)) }.get()
    }

    private nonisolated func makeCommand(
        _ id: CommandID, _ sql: SQL, within limit: Duration?, _ caller: CallSite
    ) throws(PostgresError) -> PipelineCommand {
        PipelineCommand(
            id: id, work: .statement(try sql.checked(for: caller)), caller: caller, limit: timeLimit(limit))
    }

    private nonisolated func timeLimit(_ limit: Duration?) -> TimeLimit {
        TimeLimit(limit ?? mailbox.deadline, wait: maximumWait)
    }

    /// Posts a wish and waits for its answer; a cancelled task waits no longer.
    nonisolated func perform<Answer: Sendable>(
        _ id: CommandID,
        _ makeMessage: @Sendable (CheckedContinuation<Result<Answer, PostgresError>, Never>) -> Message
    ) async throws(PostgresError) -> Answer {
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                post(makeMessage(continuation))
                // The handler may have run before there was anything to cancel.
                if Task.isCancelled { post(.cancel(id)) }
            }
        } onCancel: {
            post(.cancel(id))
        }
        return try answer.get()
    }
}

extension PostgresError {
    static func cancelledBeforeSending(_ text: String?, _ caller: CallSite) -> PostgresError {
        PostgresError(
            .cancelled, "the task was cancelled before", query: text, caller: caller, wasSent: false)
    }
}

extension PostgresConnection {
    /// Runs a script of several statements, such as a migration, in the simple protocol.
    ///
    /// The connection does nothing else meanwhile. Unless the script says otherwise, all its statements are one
    /// transaction. It takes no values and gives no rows. COPY to or from the client in it ends the connection.
    ///
    /// - Throws: the first error; `position` then counts characters of the whole script.
    package nonisolated func executeScript(
        _ text: String, within limit: Duration? = nil, file: String = #fileID, line: Int = #line
    ) async throws(PostgresError) {
        let caller = CallSite(file: file, line: line)
        do throws(PostgresError) {
            let id = mailbox.makeID()
            let command = try makeExclusive(id, SQL(unsafeText: text), within: limit, caller)
            _ = try await perform(id) { (continuation: RowsContinuation) in
                .exclusive(command, .script(text, continuation))
            }
        } catch {
            throw error.attributed(query: text, caller: caller)
        }
    }

    /// A command that will have the connection for itself. The simple protocol has no values.
    nonisolated func makeExclusive(
        _ id: CommandID, _ sql: SQL, within limit: Duration?, _ caller: CallSite
    ) throws(PostgresError) -> PipelineCommand {
        guard !Task.isCancelled else { throw .cancelledBeforeSending(sql.text, caller) }
        guard try sql.checked(for: caller).bindCount == 0 else {
            throw PostgresError(
                .encoding, "this statement takes no values; \\(literal:) quotes one", query: sql.text, caller: caller,
                wasSent: false)
        }
        return PipelineCommand(id: id, work: .exclusive, caller: caller, limit: timeLimit(limit))
    }
}
