/// Takes the data of a COPY to the server.
package struct PostgresCopyIn: Sendable {
    fileprivate let connection: PostgresConnection
    fileprivate let id: CommandID

    /// Sends bytes, in the format the statement has asked for; they need not be whole rows.
    ///
    /// It returns when the socket has taken them, so a slow server slows the writer.
    ///
    /// - Throws: ``PostgresError/Kind/connectionLost``, ``PostgresError/Kind/cancelled``. The server's verdict on the
    ///   data comes at the end of the copy.
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
    /// - Parameter limit: how long the server may take to begin, to take each piece of data, and to end.
    /// - Returns: how many rows were copied.
    /// - Throws: what `body` throws, after which the server has kept nothing; or what the server says about the data.
    package nonisolated(nonsending) func copyIn(
        _ sql: SQL, within limit: Duration? = nil, file: String = #fileID, line: Int = #line,
        _ body: (PostgresCopyIn) async throws -> Void
    ) async throws -> Int {
        let caller = CallSite(file: file, line: line)
        let id = mailbox.makeID()
        do {
            let command = try makeExclusive(id, sql, within: limit, caller)
            try await perform(id) { (continuation: DoneContinuation) in
                .exclusive(command, .copyIn(sql.text, continuation))
            }
            do {
                try await body(PostgresCopyIn(connection: self, id: id))
            } catch {
                // The server only confirms that the client gave up.
                _ = try? await perform(id) { .copyInEnd(id, failure: "the client gave up", $0) } as Int
                throw error
            }
            return try await perform(id) { .copyInEnd(id, failure: nil, $0) }
        } catch let error as PostgresError {
            throw error.attributed(query: sql.text, caller: caller)
        }
    }
}

/// The data of a COPY to us, in chunks of whole messages, about 64 KiB each, in the format the statement asks for.
///
/// Nothing is read ahead of the consumer: one that is slow holds the server back. It can be iterated once. When it is
/// given up before its end, the connection reads the rest and throws it away; in a pool's `withExclusive` the server is
/// told to stop.
package struct PostgresCopyOut: AsyncSequence, Sendable {
    /// A chunk of whole messages.
    package typealias Element = [UInt8]
    /// Whatever the server says in the middle of it.
    package typealias Failure = PostgresError

    /// Ends the COPY when its consumer is gone.
    fileprivate final class Lifetime: Sendable {
        let connection: PostgresConnection
        let id: CommandID

        init(connection: PostgresConnection, id: CommandID) {
            self.connection = connection
            self.id = id
        }

        deinit {
            connection.post(.copyOutAbandon(id))
        }
    }

    private let lifetime: Lifetime
    private let caller: CallSite

    init(connection: PostgresConnection, id: CommandID, caller: CallSite) {
        lifetime = Lifetime(connection: connection, id: id)
        self.caller = caller
    }

    /// Begins; to be called once.
    package func makeAsyncIterator() -> Iterator {
        Iterator(lifetime: lifetime, caller: caller)
    }

    /// Asks for one chunk after the other.
    package struct Iterator: AsyncIteratorProtocol {
        private let lifetime: Lifetime
        private let caller: CallSite
        private var isFinished = false

        fileprivate init(lifetime: Lifetime, caller: CallSite) {
            self.lifetime = lifetime
            self.caller = caller
        }

        /// The next chunk, never empty; nil after a complete COPY.
        package mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(PostgresError) -> [UInt8]? {
            try await next()
        }

        /// The next chunk, never empty; nil after a complete COPY.
        package mutating func next() async throws(PostgresError) -> [UInt8]? {
            guard !isFinished else { return nil }
            let id = lifetime.id
            do throws(PostgresError) {
                let chunk: [UInt8]? = try await lifetime.connection.perform(id) { .copyOutDemand(id, $0) }
                isFinished = chunk == nil
                return chunk
            } catch {
                isFinished = true
                throw error.attributed(query: nil, caller: caller)
            }
        }
    }
}

extension PostgresConnection {
    /// Begins `COPY … TO STDOUT`. The connection does nothing else until the data has been read or given up.
    ///
    /// - Parameter limit: how long the server may take to begin and for each chunk.
    /// - Throws: when the server rejects the COPY; later errors come out of the sequence.
    package nonisolated func copyOut(
        _ sql: SQL, within limit: Duration? = nil, file: String = #fileID, line: Int = #line
    ) async throws(PostgresError) -> PostgresCopyOut {
        let caller = CallSite(file: file, line: line)
        let id = mailbox.makeID()
        let command = try makeExclusive(id, sql, within: limit, caller)
        do throws(PostgresError) {
            try await perform(id) { (continuation: DoneContinuation) in
                .exclusive(command, .copyOut(sql.text, continuation))
            }
        } catch {
            throw error.attributed(query: sql.text, caller: caller)
        }
        return PostgresCopyOut(connection: self, id: id, caller: caller)
    }
}
