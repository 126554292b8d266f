import Foundation

/// `skein serve`, started again whenever it ends, as systemd does with the unit in `docs/operating.md`.
struct SupervisedService: Sendable {
    let client: APIClient
    private let laboratory: Laboratory
    private let environment: [String: String]
    private let logFile: String

    /// `RestartSec` of the unit.
    private static let pause = Duration.seconds(1)

    /// Serves while something runs, which begins when the service is ready.
    static func with<Value: Sendable>(
        _ laboratory: Laboratory, environment: [String: String],
        _ body: @escaping @Sendable (SupervisedService) async throws -> Value
    ) async throws -> Value {
        let port = try await SkeinService.freePort()
        let service = SupervisedService(
            client: APIClient(port: port), laboratory: laboratory, environment: environment,
            logFile: "\(laboratory.folder)/serve.\(port).log")
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                try await service.supervise()
                return nil
            }
            group.addTask {
                try await service.waitUntilReady()
                return try await body(service)
            }
            defer { group.cancelAll() }
            guard let value = try await group.next() ?? nil else { throw CancellationError() }
            return value
        }
    }

    /// Starts it again and again, until cancelled.
    private func supervise() async throws {
        while true {
            let process = try Program.process(
                laboratory.skein.path, ["serve", "--host", "127.0.0.1", "--port", "\(client.port)"], environment,
                output: logFile)
            try process.runUnblocked()
            defer { stop(process) }
            while process.isRunning { try await Task.sleep(for: .milliseconds(20)) }
            show("  the service ended with status \(process.terminationStatus)")
            try await Task.sleep(for: Self.pause)
        }
    }

    private func stop(_ process: Process) {
        guard process.isRunning else { return }
        process.terminate()
        process.waitUntilExit()
    }

    private func waitUntilReady() async throws {
        let deadline = ContinuousClock.now + .seconds(120)
        while (try? await client.get("/readyz"))?.status != 200 {
            guard .now < deadline else {
                let log = (try? String(contentsOfFile: logFile, encoding: .utf8)) ?? ""
                throw ProgramError(description: "skein serve did not become ready: \(log.suffix(2_000))")
            }
            try await Task.sleep(for: .milliseconds(200))
        }
    }
}
