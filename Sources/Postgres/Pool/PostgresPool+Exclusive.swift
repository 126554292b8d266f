import Logging

extension PostgresPool {
    /// Lends a connection to one caller alone, for long statements, COPY and transactions.
    ///
    /// When `body` ends while something is still under way, because its task was cancelled or a sequence was given up,
    /// the server is told to stop, and the connection is handed on only after it has; a transaction left open is rolled
    /// back. `body` must not keep the connection, and leaves its settings as they were.
    ///
    /// - Parameter limit: how long each statement of `body` may take that names no time of its own.
    /// - Throws: what `body` throws, or a ``PostgresError`` when there is no connection to be had.
    package nonisolated(nonsending) func withExclusive<Value>(
        within limit: Duration? = nil, _ body: (PostgresConnection) async throws -> Value
    ) async throws -> Value {
        let connection = try await exclusive.acquire()
        let usual = connection.mailbox.deadline
        connection.mailbox.deadline = limit ?? usual
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(connection))
        } catch {
            result = .failure(error)
        }
        connection.mailbox.deadline = usual
        await giveBack(connection)
        return try result.get()
    }

    private func giveBack(_ connection: PostgresConnection) async {
        if await settle(connection), await connection.transactionStatus != .idle {
            logger.warning("a transaction was left open on an exclusive connection")
            if await rollBack(connection) != nil { await connection.close() }
        }
        await exclusive.release(connection)
    }

    /// Ends the transaction; nil when that went well, or when there is none any more.
    func rollBack(_ connection: PostgresConnection) async -> PostgresError? {
        guard await settle(connection), await connection.transactionStatus != .idle else { return nil }
        do throws(PostgresError) {
            _ = try await connection.queryUncancelled("ROLLBACK", from: .here())
            return nil
        } catch {
            return error
        }
    }

    /// Brings a connection to rest, and has the server stop what it is doing if need be. False: it had to be closed.
    ///
    /// A cancellation goes through another connection, so it could arrive late and hit whatever comes next. It cannot
    /// once the canceller has been answered: then the signal is with the server process, which drops it when idle.
    func settle(_ connection: PostgresConnection) async -> Bool {
        let deadline = ContinuousClock.now + configuration.cancelGrace
        while connection.load > 0, !connection.isClosed {
            guard ContinuousClock.now < deadline, await cancelBackend(of: connection, until: deadline) else {
                logger.warning("an exclusive connection did not come to rest and is closed")
                await connection.close()
                return false
            }
            // Several statements may be in the pipeline; each needs telling.
            _ = await connection.waitUntilIdle(atMost: .milliseconds(50))
        }
        return !connection.isClosed
    }

    /// False when the server could not be told.
    private func cancelBackend(of connection: PostgresConnection, until deadline: ContinuousClock.Instant) async -> Bool
    {
        guard let canceller = control.connections.first else { return false }
        counters.count(\.cancellations)
        do throws(PostgresError) {
            _ = try await canceller.queryUncancelled(
                "SELECT pg_cancel_backend(\(connection.backendPID))",
                within: ContinuousClock.now.duration(to: deadline), from: .here())
            return true
        } catch {
            logger.warning("cannot cancel a statement", metadata: ["error": "\(error.debugDescription)"])
            return false
        }
    }
}
