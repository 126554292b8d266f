import Dispatch
import FoundationEssentials
import Glibc
import Logging
package import Postgres
package import PrivateServer

/// The private PostgreSQL that all tests of this package share.
///
/// Started at the first use in a process, shared with other processes that test at the same time, and stopped when the
/// last of them exits. A server left by a killed test run is adopted.
package actor TestCluster {
    /// The one of this process.
    package static let shared = TestCluster()

    /// Where the server lives: `$SKEIN_TEST_SERVER`, or `.build/test-server`.
    package static let dataDirectory =
        ProcessInfo.processInfo.environment["SKEIN_TEST_SERVER"] ?? PackageRoot.path + "/.build/test-server"

    /// Without `fsync`, because creating and dropping a database would wait for the disk. After a crash of the machine,
    /// remove the folder.
    private static let settings = {
        var settings = PrivateServerSettings.tests
        settings.fsync = false
        return settings
    }()

    private let logger: Logger
    /// Owned by this actor: all callers of `server` wait for the same start.
    private var starting: Task<PrivateServer, any Error>?

    private init() {
        var logger = Logger(label: "skein.tests")
        logger.logLevel = .warning
        self.logger = logger
    }

    /// The server, started when it is not running.
    ///
    /// - Throws: `PrivateServerError`, `FileLock.Failure`.
    package func server() async throws -> PrivateServer {
        if let starting { return try await starting.value }
        let task = Task { [logger] in
            let server = try await PrivateServer.startOrAdopt(
                dataDirectory: TestCluster.dataDirectory, settings: Self.settings, logger: logger)
            try await TestDatabase.dropAbandoned(on: server, logger: logger)
            return server
        }
        starting = task
        atexit { TestCluster.stopAtExit() }
        return try await task.value
    }

    /// How the owner, or the service, connects to a database of the server.
    package func configuration(
        database: String, user: PrivateServer.Role = .owner
    ) async throws -> PostgresConfiguration {
        try .unhurried(try await server().url(database: database, user: user))
    }

    private func stop() async {
        guard let starting, let server = try? await starting.value else { return }
        _ = try? await server.stop()
    }

    /// The process waits in `exit` until the server is stopped or left to others.
    private static func stopAtExit() {
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            await TestCluster.shared.stop()
            done.signal()
        }
        done.wait()
    }
}
