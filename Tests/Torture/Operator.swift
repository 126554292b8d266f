import Foundation
import Postgres
import PrivateServer
import TestSupport

/// A person at the command line, who repeats a command that failed until it succeeds.
struct Operator: Sendable {
    /// Longest time until a command has succeeded, stops and freezes of the server included.
    private static let timeout: Duration = .seconds(90)

    let directory: String
    let server: PrivateServer
    let owner: PostgresConfiguration

    /// `skein migrate`, then partitions of another size: the log is empty, so all can be replaced.
    func migrate(partitionSize: Int64) async throws {
        _ = try await run(["migrate"])
        let connection = try await PostgresConnection.connect(owner, logger: .silent)
        _ = try await connection.query("update log.head set partition_size = \(partitionSize)")
        for row in try await connection.query("select name from log.partitions").rows {
            let name: String = try row.decode("name")
            _ = try await connection.query("drop table log.\(identifier: name)")
        }
        _ = try await connection.query("select log.add_partitions(3)")
        await connection.close()
    }

    /// `skein rebuild`.
    func rebuild() async throws {
        _ = try await run(["rebuild"])
    }

    /// `skein role add`.
    func grant(_ role: String, to email: String) async throws {
        _ = try await run(["role", "add", email, role])
    }

    /// `skein photos check`.
    /// - Returns: what it found missing or altered.
    func lostPhotos() async throws -> [String] {
        let (status, output) = try await attempt(["photos", "check"])
        if status == 0 { return [] }
        let faults = output.split(separator: "\n").filter { $0.hasPrefix("missing") || $0.hasPrefix("altered") }
        return faults.isEmpty ? ["skein photos check ended with \(status): \(output)"] : faults.map(String.init)
    }

    /// `skein redact`, of a correction that no client sends again any more.
    func redact(_ recorder: Recorder) async throws {
        let deadline = ContinuousClock.now + Self.timeout
        var target: Int64?
        while target == nil, ContinuousClock.now < deadline {
            target = try? await correction()
            try await Task.sleep(for: .milliseconds(200))
        }
        guard let target else { return recorder.complain("there was no correction to redact") }
        recorder.expects(others: ["PayloadRedacted"], redacted: target)
        _ = try await run(["redact", "--position", "\(target)", "--reason", "legal"])
    }

    private func correction() async throws -> Int64? {
        let connection = try await PostgresConnection.connect(owner, logger: .silent)
        let found = try await connection.query(
            """
            select position from log.events
             where type = 'SightingCorrected' and recorded_at < clock_timestamp() - interval '5 s'
             order by random() limit 1
            """)
        await connection.close()
        return try found.first?.decode("position")
    }

    /// Holds a snapshot of the whole log, as a long report does. It ends earlier when the server stops.
    func holdSnapshot(for duration: Duration) async {
        guard let connection = try? await PostgresConnection.connect(owner, logger: .silent) else { return }
        _ = try? await connection.query("begin isolation level repeatable read, read only")
        _ = try? await connection.query("select count(*) from log.events")
        try? await Task.sleep(for: duration)
        await connection.close()
    }

    /// `skein import occurrences` of some records, then `skein import undo`.
    func importAndUndo(_ recorder: Recorder) async throws {
        recorder.expects(others: [
            "DatasetRegistered", "ImportStarted", "SightingImported", "ImportFinished", "SightingWithdrawn",
            "ImportUndone",
        ])
        let file = directory + "/records.csv"
        let rows = (1...200).map { "wren-\($0),Troglodytes pacificus,47.\($0),-122.3,2020-05-01,\($0 % 9 + 1)" }
        let header = "occurrenceID,scientificName,decimalLatitude,decimalLongitude,eventDate,individualCount"
        try ([header] + rows).joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
        let summary = try await run(["import", "occurrences", file, "--dataset", "Torture", "--licence", "CC0-1.0"])
        guard let batch = summary.firstMatch(of: /Import ([0-9a-f-]{36})/) else {
            return recorder.complain("an import printed no id: \(summary)")
        }
        _ = try await run(["import", "undo", String(batch.1)])
    }

    /// - Returns: what it printed.
    /// - Throws: ``CommandFailed`` when the time is over.
    private func run(_ arguments: [String]) async throws -> String {
        let deadline = ContinuousClock.now + Self.timeout
        while true {
            let (status, output) = try await attempt(arguments)
            if status == 0 { return output }
            if ContinuousClock.now > deadline { throw CommandFailed(arguments: arguments, output: output) }
            try await Task.sleep(for: .milliseconds(500))
        }
    }

    private func attempt(_ arguments: [String]) async throws -> (status: Int32, output: String) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = ServiceProcess.program
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging([
            "DATABASE_URL": server.url(user: .service), "DATABASE_OWNER_URL": server.url(user: .owner),
            "SKEIN_DATA_DIR": directory, "SKEIN_LOG_LEVEL": "warning",
        ]) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        // At most a page of output, which the pipe holds.
        do {
            while process.isRunning { try await Task.sleep(for: .milliseconds(20)) }
        } catch {
            process.terminate()
            process.waitUntilExit()
            throw error
        }
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}

/// A command that never succeeded.
struct CommandFailed: Error {
    let arguments: [String]
    let output: String
}
