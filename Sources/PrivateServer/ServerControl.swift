import Bytes
import FoundationEssentials

/// PostgreSQL's programs applied to one home. `PrivateServer` decides when they may be called.
struct ServerControl: Sendable {
    /// The answer of a server to `pg_isready`.
    enum Answer: Sendable {
        /// It takes connections.
        case accepting
        /// It is starting up or shutting down.
        case rejecting
        /// No server answers.
        case silence
    }

    let home: ServerHome
    let programs: PostgresPrograms

    /// How long recovery after a crash may take before a start counts as failed.
    private static let startSeconds = 300
    /// The pauses after starts that failed though the last server did not shut down: after a kill -9 of the postmaster
    /// its backends live on for a moment, and no new server starts on their shared memory.
    private static let pauses: [Duration] = [100, 200, 400, 800, 1_600, 3_200].map { .milliseconds($0) }

    /// Makes the cluster: UTF-8, sorted by code point on every machine, with checksums; only local connections.
    func initialize() async throws(PrivateServerError) {
        try Folder.remove(home.unfinishedCluster)
        try Folder.makePrivate(home.unfinishedCluster, for: home.account)
        let locale = "C.UTF-8"
        try await home.account.process([
            programs.initdb, "--pgdata=\(home.unfinishedCluster)", "--username=\(PrivateServer.Role.owner.rawValue)",
            "--encoding=UTF8", "--locale=\(locale)", "--data-checksums", "--auth-local=trust", "--auth-host=reject",
        ]).runChecked()
        try Folder.move(home.unfinishedCluster, to: home.cluster)
    }

    /// Waits until the server takes connections, and starts it if none answers. Returns whether it did.
    func bringUp(_ settings: PrivateServerSettings) async throws -> Bool {
        let deadline = ContinuousClock.now + .seconds(Self.startSeconds)
        var silences = 0
        while ContinuousClock.now < deadline {
            switch try await answer() {
            case .accepting: return false
            case .rejecting: silences = 0
            case .silence:
                silences += 1
                // Silent though its process lives: it has only just begun, or the number is another process's by now.
                // PostgreSQL itself knows which, and does not start twice.
                let isRunning = try await isRunning()
                if silences > 60 || !isRunning {
                    try await start(settings)
                    return true
                }
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw PrivateServerError.serverNotReady(seconds: Self.startSeconds)
    }

    /// Starts the server and waits until it takes connections, or until recovery took too long.
    func start(_ settings: PrivateServerSettings) async throws {
        try writeConfiguration(settings)
        try keepLogSmall()
        var log = ""
        let wasKilled = Folder.owner(of: home.cluster + "/postmaster.pid") != nil
        for pause in [.zero] + (wasKilled ? Self.pauses : []) {
            try await Task.sleep(for: pause)
            let outcome = try await home.account.process([
                programs.pgCtl, "start", "--pgdata=\(home.cluster)", "--log=\(home.logFile)", "--silent", "--wait",
                "--timeout=\(Self.startSeconds)",
            ]).run()
            if outcome.status == 0 { return }
            log = outcome.output + "\n" + endOfLog()
        }
        throw PrivateServerError.serverDidNotStart(logFile: home.logFile, log: log.trimmed)
    }

    /// Stops the server and waits until it is gone.
    func stop(_ mode: PrivateServer.StopMode) async throws(PrivateServerError) {
        let outcome = try await home.account.process([
            programs.pgCtl, "stop", "--pgdata=\(home.cluster)", "--mode=\(mode.rawValue)", "--silent", "--wait",
            "--timeout=60",
        ]).run()
        guard outcome.status != 0, try await isRunning() else { return }
        throw .failed(program: programs.pgCtl, status: outcome.status, output: outcome.output)
    }

    /// Whether a process with the number in `postmaster.pid` lives; after a restart of the machine it may be another.
    func isRunning() async throws(PrivateServerError) -> Bool {
        try await home.account.process([programs.pgCtl, "status", "--pgdata=\(home.cluster)"]).run().status == 0
    }

    /// Knocks at the socket.
    func answer() async throws(PrivateServerError) -> Answer {
        let outcome = try await home.account.process([
            programs.directory + "/pg_isready", "--host=\(home.socketDirectory)", "--port=\(PrivateServer.port)",
            "--timeout=5", "--quiet",
        ]).run()
        return switch outcome.status {
        case 0: .accepting
        case 1: .rejecting
        default: .silence
        }
    }

    /// Runs SQL statements one by one as the owner and returns the rows, columns separated by `|`.
    @discardableResult
    func query(_ statements: String..., database: String) async throws(PrivateServerError) -> String {
        try await home.account.process(
            [
                programs.psql, "--no-psqlrc", "--no-align", "--tuples-only", "--quiet",
                "--set=ON_ERROR_STOP=1", "--host=\(home.socketDirectory)", "--port=\(PrivateServer.port)",
                "--username=\(PrivateServer.Role.owner.rawValue)", "--dbname=\(database)",
            ] + statements.map { "--command=\($0)" }
        ).runChecked()
    }

    private func writeConfiguration(_ settings: PrivateServerSettings) throws(PrivateServerError) {
        let text = settings.configuration(socketDirectory: home.socketDirectory)
        try Folder.write(text, to: home.cluster + "/postgresql.conf", for: home.account)
    }

    /// Sets a log above 16 MiB aside, in place of the one set aside before.
    private func keepLogSmall() throws(PrivateServerError) {
        let size = try? FileManager.default.attributesOfItem(atPath: home.logFile)[.size] as? UInt64
        guard let size, size > 16 << 20 else { return }
        try Folder.move(home.logFile, to: home.logFile + ".1")
    }

    private func endOfLog() -> String {
        guard let data = FileManager.default.contents(atPath: home.logFile) else { return "" }
        return String(decoding: data.suffix(2_000), as: UTF8.self)
    }
}

/// The role and the database that every private server has.
struct ServerBootstrap: Sendable {
    let control: ServerControl

    /// Makes what is missing. Safe to repeat: one who was killed half way leaves nothing that looks finished.
    func run() async throws(PrivateServerError) {
        let state = try await control.query(
            """
            SELECT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = '\(PrivateServer.Role.service.rawValue)'),
                   EXISTS (SELECT FROM pg_catalog.pg_database WHERE datname = '\(PrivateServer.database)'),
                   EXISTS (SELECT FROM pg_catalog.pg_available_extensions WHERE name = 'postgis')
            """, database: "postgres")
        let exists = state.split(separator: "|").map { $0 == "t" }
        guard exists.count == 3 else {
            throw .failed(program: control.programs.psql, status: 0, output: state)
        }
        guard exists[2] else { throw .postgisNotInstalled(majorVersion: control.programs.majorVersion) }
        if !exists[0] {
            try await control.query("CREATE ROLE \(PrivateServer.Role.service.rawValue) LOGIN", database: "postgres")
        }
        if !exists[1] { try await makeDatabase() }
    }

    /// Under another name until PostGIS is in it, so that a database of the final name is complete.
    private func makeDatabase() async throws(PrivateServerError) {
        let unfinished = PrivateServer.database + "_unfinished"
        try await control.query(
            "DROP DATABASE IF EXISTS \(unfinished) WITH (FORCE)", "CREATE DATABASE \(unfinished)", database: "postgres")
        try await control.query("CREATE EXTENSION postgis", database: unfinished)
        try await control.query(
            "ALTER DATABASE \(unfinished) RENAME TO \(PrivateServer.database)", database: "postgres")
    }
}
