import Foundation
import Glibc
import PrivateServer

/// A `skein serve` that is started, watched, killed and frozen.
///
/// While ``supervise()`` runs, one that ends by itself is started again, as a supervisor would. That is expected of one
/// that finds no database when it starts, and a violation for one that was ready.
actor ServiceProcess {
    nonisolated let number: Int
    nonisolated let port: Int
    private let logFile: String
    private let environment: [String: String]
    private var process: Process?
    /// No other fault may hit it, and it is not started again: a fault is in progress, or it is to stay down.
    private var isReserved = true
    private(set) var isReady = false
    /// The violations of the service.
    private(set) var complaints: [String] = []

    /// - Parameter database: the URL of the service's own connections.
    init(_ number: Int, port: Int, directory: String, server: PrivateServer, database: String) {
        self.number = number
        self.port = port
        logFile = "\(directory)/service-\(number).log"
        environment = ProcessInfo.processInfo.environment.merging([
            "DATABASE_URL": database, "DATABASE_OWNER_URL": server.url(user: .owner),
            "SKEIN_RATE_LIMITS": "off", "SKEIN_DATA_DIR": directory, "SKEIN_LOG_LEVEL": "warning",
            "SKEIN_OPERATIONS_PORT": "0", "SKEIN_DATABASE_TIMEOUT": "4", "SKEIN_CREDENTIAL_ATTEMPTS": "0",
            "SKEIN_EXPORTS_PER_DAY": "0", "SKEIN_UNVERIFIED_DAILY_EXPORTS": "0",
            // Rounds fill the disk on purpose.
            "SKEIN_DISK_RESERVE": "0",
        ]) { $1 }
        _ = FileManager.default.createFile(atPath: logFile, contents: nil)
    }

    /// The end of its output.
    var endOfLog: String {
        String(((try? String(contentsOfFile: logFile, encoding: .utf8)) ?? "").suffix(2_000))
    }

    func start() throws {
        let log = try FileHandle(forWritingTo: URL(fileURLWithPath: logFile))
        try log.seekToEnd()
        let fresh = Process()
        fresh.executableURL = Self.program
        fresh.arguments = ["serve", "--host", "127.0.0.1", "--port", "\(port)"]
        fresh.environment = environment
        fresh.standardInput = FileHandle.nullDevice
        fresh.standardOutput = log
        fresh.standardError = log
        try fresh.run()
        try log.close()
        (process, isReady, isReserved) = (fresh, false, false)
    }

    /// The program that was built together with this one.
    static let program = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("skein")

    /// Notices when it becomes ready and when it ends, until cancelled.
    func supervise() async {
        while !Task.isCancelled {
            if !isReserved, let process {
                if !process.isRunning {
                    restart(process)
                } else if !isReady {
                    let answers = await HealthCheck.alive.passes(port: port)
                    // It may have been killed meanwhile.
                    if answers, self.process === process, process.isRunning { isReady = true }
                }
            }
            try? await Task.sleep(for: .milliseconds(100))
        }
    }

    private func restart(_ ended: Process) {
        if isReady {
            complaints.append(
                "service \(number) ended by itself with \(ended.terminationStatus); its log ends with:\n\(endOfLog)")
        }
        do { try start() } catch { complaints.append("service \(number) could not be started: \(error)") }
    }

    /// Reserves it for a fault.
    /// - Returns: false if it is down, not ready yet, or already reserved.
    func reserve() -> Bool {
        guard !isReserved, isReady, let process, process.isRunning else { return false }
        isReserved = true
        return true
    }

    /// Ends it at once, as the out-of-memory killer does, and starts it again after a while. Reserve it first.
    func killAndRestart(after pause: Duration) async throws {
        isReady = false
        await destroy()
        try await Task.sleep(for: pause)
        try start()
    }

    /// Stops it from running for a while, in the middle of whatever it does. Reserve it first.
    func freeze(for pause: Duration) async throws {
        guard let process else { return }
        kill(process.processIdentifier, SIGSTOP)
        defer {
            kill(process.processIdentifier, SIGCONT)
            isReserved = false
        }
        try await Task.sleep(for: pause)
    }

    /// Asks it to stop, and waits until it has.
    func stop() async throws {
        isReserved = true
        guard let process, process.isRunning else { return }
        process.terminate()
        let deadline = ContinuousClock.now + .seconds(35)
        while process.isRunning {
            guard ContinuousClock.now < deadline else {
                complaints.append("service \(number) did not stop on SIGTERM; its log ends with:\n\(endOfLog)")
                return await destroy()
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        if process.terminationReason != .exit || process.terminationStatus != 0 {
            complaints.append(
                "service \(number) stopped with \(process.terminationStatus); its log ends with:\n\(endOfLog)")
        }
    }

    /// Ends it at once, without a restart.
    func destroy() async {
        isReserved = true
        guard let process, process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
        while process.isRunning { try? await Task.sleep(for: .milliseconds(5)) }
    }
}
