/// Takes the data of a COPY to the server.
package struct PostgresCopyIn: Sendable {
    fileprivate let connection: PostgresConnection
    fileprivate let id: CommandID

    /// Sends bytes, in the format the statement has asked for; they need not be whole rows.
    ///
    /// It returns when the socket has taken them, so a slow server slows the writer.
    ///
    /// - Throws: ``PostgresError/Kind/connectionLost``, ``PostgresError/Kind/cancelled``. What the server thinks of the
    ///   data is told at the end.
    package func write(_ bytes: [UInt8]) async throws(PostgresError) {
        let id = id
        try await connection.perform(id) { (continuation: DoneContinuation) in
            .copyInWrite(id, bytes, continuation)
        }
    }

    /// Sends text as UTF-8.
    package func write(_ text: String) async throws(PostgresError) {
        try await write(Array(text.utf8))
    }
}

extension PostgresConnection {
    /// Runs `COPY … FROM STDIN` with the data that `body` writes. The connection does nothing else meanwhile.
    ///
    /// - Returns: how many rows were copied.
    /// - Throws: what `body` throws, after which the server has kept nothing; or what the server says about the data.
    package nonisolated(nonsending) func copyIn(
        _ sql: SQL, file: String = #fileID, line: Int = #line,
        _ body: (PostgresCopyIn) async throws -> Void
    ) async throws -> Int {
        let caller = CallSite(file: file, line: line)
        let id = mailbox.makeID()
        do {
            let command = try makeExclusive(id, sql, caller)
            try await perform(id) { (continuation: DoneContinuation) in
                .exclusive(command, .copyIn(sql.text, continuation))
            }
            do {
                try await body(PostgresCopyIn(connection: self, id: id))
            } catch {
                // The server's answer to our giving up says nothing new.
                _ = try? await perform(id) { .copyInEnd(id, failure: "the client gave up", $0) } as Int
                throw error
            }
            return try await perform(id) { .copyInEnd(id, failure: nil, $0) }
        } catch let error as PostgresError {
            throw error.attributed(query: sql.text, caller: caller)
        }
    }
}
