import Foundation
import PrivateServer

/// A script of statements, prepared and run by pgbench on one thread.
struct PgbenchLoad: Sendable {
    let laboratory: Laboratory
    private let pgbench: Program
    private let arguments: [String]

    /// - Parameters:
    ///   - script: the path of a file in pgbench's own form.
    ///   - variables: its variables, by name.
    init(
        _ laboratory: Laboratory, script: String, variables: [String: String], clients: Int, database: String,
        user: PrivateServer.Role = .owner
    ) throws {
        self.laboratory = laboratory
        pgbench = try Program("pgbench")
        arguments =
            [
                "--host", laboratory.server.socketDirectory, "--port", "\(PrivateServer.port)",
                "--username", user.rawValue, "--no-vacuum", "--protocol", "prepared",
                "--client", "\(clients)", "--jobs", "1", "--file", script,
            ] + variables.sorted { $0.key < $1.key }.flatMap { ["--define", "\($0)=\($1)"] } + [database]
    }

    /// One-row INSERTs of a submission's payload, by 64 clients.
    static func inserts(_ laboratory: Laboratory, payload: String) throws -> PgbenchLoad {
        try PgbenchLoad(
            laboratory, script: Laboratory.scripts + "/insert.pgbench.sql", variables: ["payload": payload],
            clients: 64, database: Laboratory.reference)
    }

    /// Runs the script as fast as it goes.
    /// - Returns: how many times a second.
    func run() async throws -> Double {
        let time = ["--time", "\(laboratory.plan.seconds)"]
        let output = try await pgbench.run(time + arguments, in: laboratory.folder)
        guard let rate = output.firstMatch(of: /tps = ([0-9.]+)/).flatMap({ Double($0.1) }) else {
            throw ProgramError(description: "pgbench printed no rate: \(output)")
        }
        return rate
    }

    /// Runs the script on a schedule, at a fixed rate per second.
    /// - Returns: milliseconds from each due time to its commit.
    func run(rate: Double) async throws -> [Double] {
        let prefix = laboratory.folder + "/pgbench-" + UUID().uuidString
        let schedule = [
            "--time", "\(laboratory.plan.seconds)", "--rate", "\(rate)", "--log", "--log-prefix", prefix,
        ]
        try await pgbench.run(schedule + arguments, in: laboratory.folder)
        let folder = URL(filePath: laboratory.folder)
        let logs = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.path.hasPrefix(prefix) }
        return try logs.flatMap { log in
            defer { try? FileManager.default.removeItem(at: log) }
            // client, transaction, microseconds since it was due, …
            return try String(contentsOf: log, encoding: .utf8).split(separator: "\n").compactMap { line in
                line.split(separator: " ").dropFirst(2).first.flatMap { Double($0) }.map { $0 / 1_000 }
            }
        }
    }
}
