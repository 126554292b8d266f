import Foundation
import PrivateServer

/// One-row INSERTs of a submission's payload, sent by pgbench with 64 clients.
struct PgbenchLoad: Sendable {
    let laboratory: Laboratory
    private let pgbench: Program
    private let payload: String

    /// - Parameter payload: what each row holds.
    init(_ laboratory: Laboratory, payload: String) throws {
        self.laboratory = laboratory
        self.payload = payload
        pgbench = try Program("pgbench")
    }

    /// Inserts as fast as it goes.
    /// - Returns: rows a second.
    func run(seconds: Int) async throws -> Double {
        let output = try await pgbench.run(arguments(seconds), in: laboratory.folder)
        guard let rate = output.firstMatch(of: /tps = ([0-9.]+)/).flatMap({ Double($0.1) }) else {
            throw ProgramError(description: "pgbench printed no rate: \(output)")
        }
        return rate
    }

    /// Inserts on a schedule of its own, so many a second.
    /// - Returns: milliseconds from each row's due time to its commit.
    func run(rate: Double, seconds: Int) async throws -> [Double] {
        let prefix = laboratory.folder + "/pgbench-" + UUID().uuidString
        let more = ["--rate", "\(rate)", "--log", "--log-prefix", prefix]
        try await pgbench.run(arguments(seconds, more), in: laboratory.folder)
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

    private func arguments(_ seconds: Int, _ more: [String] = []) -> [String] {
        [
            "--host", laboratory.server.socketDirectory, "--port", "\(PrivateServer.port)",
            "--username", PrivateServer.Role.owner.rawValue, "--no-vacuum", "--protocol", "prepared",
            "--client", "64", "--jobs", "1", "--time", "\(seconds)", "--define", "payload=\(payload)",
            "--file", Laboratory.scripts + "/insert.pgbench.sql",
        ] + more + [Laboratory.reference]
    }
}
