extension PostgresConnection {
    /// Runs a script of several statements, such as a migration, in the simple protocol.
    ///
    /// The connection does nothing else meanwhile. Unless the script says otherwise, all its statements are one
    /// transaction. It takes no values and gives no rows. COPY to or from the client in it ends the connection.
    ///
    /// - Throws: the first error; `position` then counts characters of the whole script.
    package nonisolated func executeScript(
        _ text: String, file: String = #fileID, line: Int = #line
    ) async throws(PostgresError) {
        let caller = CallSite(file: file, line: line)
        do throws(PostgresError) {
            let id = mailbox.makeID()
            let command = try makeExclusive(id, SQL(unsafeText: text), caller)
            _ = try await perform(id) { (continuation: RowsContinuation) in
                .exclusive(command, .script(text, continuation))
            }
        } catch {
            throw error.attributed(query: text, caller: caller)
        }
    }

    /// A command that will have the connection for itself. The simple protocol has no values.
    nonisolated func makeExclusive(
        _ id: CommandID, _ sql: SQL, _ caller: CallSite
    ) throws(PostgresError) -> PipelineCommand {
        guard !Task.isCancelled else { throw .cancelledBeforeSending(sql.text, caller) }
        guard try sql.checked(for: caller).bindCount == 0 else {
            throw PostgresError(
                .encoding, "this statement takes no values; \\(literal:) quotes one", query: sql.text, caller: caller,
                wasSent: false)
        }
        return PipelineCommand(id: id, work: .exclusive, caller: caller, deadline: maximumWait.map { .now + $0 })
    }
}
