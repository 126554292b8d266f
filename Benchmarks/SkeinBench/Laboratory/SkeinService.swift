import Foundation
import Logging
import NIOCore
import NIOPosix
import Postgres
import PrivateServer

/// `skein serve` on a database of the laboratory.
struct SkeinService: Sendable {
    let laboratory: Laboratory
    let database: String
    let process: Process
    let port: Int

    var client: APIClient { APIClient(port: port) }

    /// Serves a database, created if it is missing, while something runs.
    /// - Parameters:
    ///   - settings: environment variables.
    ///   - standbys: servers to read from.
    static func with<Value>(
        _ laboratory: Laboratory, database: String, logLevel: Logger.Level = .warning,
        settings: [String: String] = [:], readingFrom standbys: [PrivateServer] = [],
        _ body: (SkeinService) async throws -> Value
    ) async throws -> Value {
        let port = try await freePort()
        var environment = laboratory.environment(database, logLevel: logLevel)
        environment.merge(settings) { $1 }
        environment["SKEIN_DATA_DIR"] = laboratory.folder + "/data.\(port)"
        environment["DATABASE_READ_URL"] = Laboratory.url(of: standbys, database: database)
        let process = try Program.process(
            laboratory.skein.path, ["serve", "--host", "127.0.0.1", "--port", "\(port)"],
            environment, output: laboratory.folder + "/serve.\(port).log")
        try process.runUnblocked()
        let service = SkeinService(laboratory: laboratory, database: database, process: process, port: port)
        let result: Result<Value, any Error>
        do {
            try await service.waitUntilReady()
            result = .success(try await body(service))
        } catch {
            result = .failure(error)
        }
        if process.isRunning {
            process.terminate()
            process.waitUntilExit()
        }
        return try result.get()
    }

    /// Returns when the service is ready and the read models have caught up.
    private func waitUntilReady() async throws {
        let deadline = ContinuousClock.now + .seconds(120)
        while true {
            guard process.isRunning, .now < deadline else {
                let log = (try? String(contentsOfFile: laboratory.folder + "/serve.\(port).log", encoding: .utf8)) ?? ""
                throw ProgramError(description: "skein serve did not become ready: \(log.suffix(2_000))")
            }
            if let answer = try? await client.get("/readyz"), answer.status == 200 { break }
            try await Task.sleep(for: .milliseconds(200))
        }
        try await waitForTaxa()
        try await waitUntilFollowed()
    }

    /// The service loads them while it serves. Without them names are kept as typed, which is less work.
    private func waitForTaxa() async throws {
        for _ in 0..<75 {
            if try await hasTaxa() { return }
            try await Task.sleep(for: .milliseconds(200))
        }
        show("  the service knows no taxa: submissions are cheaper than they should be")
    }

    private func hasTaxa() async throws -> Bool {
        let answer = try await client.get("/v1/taxa?q=Pacific%20Wren")
        return answer.status == 200 && String(decoding: answer.body, as: UTF8.self).contains("Troglodytes pacificus")
    }

    /// Returns when every read model has caught up.
    /// - Throws: ``ProgramError`` when the last one has not advanced for five minutes.
    func waitUntilFollowed() async throws {
        try await laboratory.withConnection(try laboratory.service(database)) { connection in
            var (last, deadline) = (Int64(-1), ContinuousClock.now + .seconds(300))
            while true {
                let row = try await connection.query(
                    """
                    select coalesce(min(position), 0) as reached,
                           coalesce(min(position), 0) >= (select coalesce(max(position), 0) from log.events) as done
                      from model.checkpoints
                    """
                ).onlyRow()
                if try row.decode("done", as: Bool.self) { return }
                let reached: Int64 = try row.decode("reached")
                if reached != last { (last, deadline) = (reached, .now + .seconds(300)) }
                guard .now < deadline else {
                    throw ProgramError(description: "a read model does not advance beyond position \(reached)")
                }
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    /// A port that was free a moment ago, and that no outgoing connection gets from the system.
    static func freePort() async throws -> Int {
        for port in (20_000..<32_000).shuffled().prefix(100) {
            let server = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            guard let listener = try? await server.bind(host: "127.0.0.1", port: port).get() else { continue }
            try await listener.close()
            return port
        }
        throw ProgramError(description: "there is no free port")
    }
}
