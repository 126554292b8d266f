import Logging
import Postgres
import PrivateServer

/// Starts the private PostgreSQL again when it has died under a running service.
struct PrivateServerKeeper: Sendable {
    let server: PrivateServer
    let pool: PostgresPool
    let logger: Logger

    /// Looks every two seconds, until it is cancelled.
    func run() async {
        while !Task.isCancelled {
            do {
                try await Task.sleep(for: .seconds(2))
                try await pool.query("select 1")
            } catch {
                // It may only be busy: one that runs is left alone.
                if !Task.isCancelled { await revive() }
            }
        }
    }

    private func revive() async {
        logger.warning("The private PostgreSQL does not answer and is started again, unless it runs")
        do {
            try await server.resume()
        } catch {
            logger.error("The private PostgreSQL cannot be started", metadata: ["error": "\(error)"])
        }
    }
}
