import AsyncHTTPClient
import Foundation
import Logging
import NIOConcurrencyHelpers
import NIOHTTP1
import Postgres
import PrivateServer
import TestSupport
import Testing

/// `skein serve` as an operator runs it: a process with a data directory and a PostgreSQL of its own.
struct ServedSkein: Sendable {
    /// The service of the suite that runs.
    @TaskLocal static var current: ServedSkein?

    let folder: String
    private let name: String
    private let settings: [String: String]
    private let launcher: [String]
    private var sendsAgain = true
    private let running = NIOLockedValueBox<Process?>(nil)
    /// The port that the process has printed; another one after a restart.
    private let port = NIOLockedValueBox(0)
    private let operationsPort = NIOLockedValueBox(0)

    /// - Parameters:
    ///   - name: of the log file; another one for each process in the same folder.
    ///   - settings: environment variables.
    ///   - launcher: a program that becomes the service, with its arguments; empty for none.
    init(folder: String, name: String = "serve", settings: [String: String] = [:], launcher: [String] = []) {
        self.folder = folder
        self.name = name
        self.settings = settings
        self.launcher = launcher
    }

    /// The service of the suite; a test outside of one has none.
    static var required: ServedSkein {
        get throws { try #require(current, "the suite has no running service: it lacks the trait .served") }
    }

    /// Starts it, waits until it is ready, runs something, and stops it as an operator does.
    /// - Parameters:
    ///   - settings: environment variables.
    ///   - launcher: a program that becomes the service, with its arguments; empty for none.
    static func run(
        _ settings: [String: String] = [:], launcher: [String] = [],
        _ body: @Sendable (ServedSkein) async throws -> Void
    ) async throws {
        try await inFolder { folder in
            let service = ServedSkein(folder: folder, settings: settings, launcher: launcher)
            let result: Result<Void, any Error>
            do {
                try await service.start()
                result = .success(try await body(service))
            } catch {
                result = .failure(error)
            }
            let process = await service.stop(SIGTERM)
            try result.get()
            #expect(!service.log.contains("unlisted problem"), "\(service.log)")
            #expect(process?.terminationReason == .exit && process?.terminationStatus == 0, "\(service.log)")
        }
    }

    /// Runs something with a folder that the user of PostgreSQL may enter too.
    static func inFolder(_ body: @Sendable (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/skein-" + UUID().uuidString.prefix(8)
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    /// Runs something while a second process serves the same data directory, with other variables.
    func joined(
        by settings: [String: String], _ body: @Sendable (ServedSkein) async throws -> Void
    ) async throws {
        let second = ServedSkein(folder: folder, name: "second", settings: settings)
        let result: Result<Void, any Error>
        do {
            try await second.start()
            result = .success(try await body(second))
        } catch {
            result = .failure(error)
        }
        await second.stop(SIGTERM)
        try result.get()
    }

    /// The process, from its first start on.
    var process: Process? { running.withLockedValue { $0 } }

    /// Ends the process, with a signal, and returns it.
    @discardableResult
    func stop(_ signal: Int32) async -> Process? {
        let process = process
        if let process, process.isRunning {
            kill(process.processIdentifier, signal)
            await process.ended()
        }
        return process
    }

    /// Starts the process, for the first time or again, and waits until it is ready.
    func start() async throws {
        let output = logFile
        try Data().write(to: URL(filePath: output))
        let process = Self.skein(
            ["serve", "--host", "127.0.0.1", "--port", "0", "--data-dir", folder + "/data"], launcher: launcher)
        let file = try FileHandle(forWritingTo: URL(filePath: output))
        process.environment?["SKEIN_RATE_LIMITS"] = "off"
        process.environment?["SKEIN_CREDENTIAL_ATTEMPTS"] = "0"
        process.environment?["TZ"] = "Asia/Kolkata"
        process.environment?.merge(settings) { $1 }
        (process.standardOutput, process.standardError) = (file, file)
        try process.run()
        running.withLockedValue { $0 = process }
        port.withLockedValue { $0 = 0 }
        try await waitUntilReady(process)
    }

    /// Waits until the running process is ready again.
    func becomeReady() async throws {
        try await waitUntilReady(try #require(running.withLockedValue { $0 }))
    }

    /// Waits until the running process is no longer ready.
    /// - Returns: the status of `/readyz` then.
    func lostReadiness() async throws -> Int {
        var status = 200
        try await until("skein stays ready: \(log)") {
            status = try await send(.GET, "/readyz").status
            return status != 200
        }
        return status
    }

    /// The program, to be run with arguments, without a database in its environment.
    static func skein(_ arguments: [String], launcher: [String] = []) -> Process {
        let process = Process()
        let products = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        let command = launcher + [products.appendingPathComponent("skein").path] + arguments
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst())
        // No server but its own: not the one that a developer's environment may name.
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("DATABASE_") }
        process.standardInput = FileHandle.nullDevice
        return process
    }

    /// Runs one of the other commands on the same data directory.
    /// - Returns: what it printed to standard output.
    func command(_ arguments: [String], status: Int32 = 0) async throws -> String {
        let process = Self.skein(arguments + ["--data-dir", folder + "/data"])
        process.standardError = FileHandle.nullDevice
        let text = try await process.output()
        try #require(process.terminationStatus == status, "skein \(arguments.joined(separator: " ")): \(text)")
        return text
    }

    /// The position of a stream's first event, looked up in the database as `docs/operating.md` says.
    func position(of stream: String) async throws -> Int64 {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let server = try await PrivateServer.startOrAdopt(dataDirectory: folder + "/data", logger: logger)
        let connection = try await PostgresConnection.connect(try .unhurried(server.url()), logger: logger)
        let row = try await connection.query(
            "select position from log.events where stream = \(try #require(UUID(uuidString: stream))) and version = 1"
        ).onlyRow()
        await connection.close()
        _ = try await server.stop()
        return try row.decode("position")
    }

    /// Its log output.
    var log: String { (try? String(contentsOfFile: logFile, encoding: .utf8)) ?? "" }

    private var logFile: String { "\(folder)/\(name).log" }

    private func waitUntilReady(_ process: Process) async throws {
        try await until("skein did not become ready: \(log)", every: .milliseconds(100)) {
            try #require(process.isRunning, "skein ended: \(log)")
            guard let number = log.firstMatch(of: /listens on http:.*?:(\d+)/).flatMap({ Int($0.1) }),
                let operations = log.firstMatch(of: /Operations: http:.*?:(\d+)/).flatMap({ Int($0.1) })
            else { return false }
            port.withLockedValue { $0 = number }
            operationsPort.withLockedValue { $0 = operations }
            let answer = try? await send(.GET, "/readyz")
            return answer?.status == 200
        }
    }

    /// Where the running process listens.
    var address: (host: String, port: Int) { ("127.0.0.1", port.withLockedValue { $0 }) }

    /// The URL of the API.
    var url: String { "http://\(address.host):\(address.port)" }

    /// Sends bytes, with printf's escapes, and gives back the first line of what comes.
    func raw(_ bytes: String) async throws -> String {
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/bash")
        shell.arguments = [
            "-c", "exec 3<>/dev/tcp/\(address.host)/\(address.port); printf \"$0\" >&3; head -n 1 <&3", bytes,
        ]
        return try await shell.output()
    }

    /// Reads from the operations listener.
    func operations(_ path: String) async throws -> Answer {
        let url = "http://\(address.host):\(operationsPort.withLockedValue { $0 })\(path)"
        return try await Answer(to: HTTPClientRequest(url: url))
    }

    /// The same service, to which each request is sent once, whatever the answer.
    var once: ServedSkein {
        var copy = self
        copy.sendsAgain = false
        return copy
    }

    /// Sends a request; again while a read model is behind, as clients do, for no test here measures how long folding
    /// takes.
    func send(
        _ method: HTTPMethod, _ path: String, token: String? = nil, headers: [String: String] = [:],
        json: String? = nil, body: [UInt8]? = nil
    ) async throws -> Answer {
        var answer: Answer?
        try await until("a read model stays behind: \(log)", every: .milliseconds(50)) {
            let url = "http://\(address.host):\(address.port)\(path)"
            answer = try await Answer(
                to: HTTPClientRequest(method, url, token: token, headers: headers, json: json, body: body))
            return !sendsAgain || answer?.status != 503 || answer?.problem != "model-behind"
        }
        return try #require(answer)
    }
}

/// Serves for a whole suite, in the task of its tests.
struct Serving: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await ServedSkein.run { service in
            try await ServedSkein.$current.withValue(service) { try await function() }
        }
    }
}

extension Trait where Self == Serving {
    /// The suite's tests share a running service.
    static var served: Serving { Serving() }
}
