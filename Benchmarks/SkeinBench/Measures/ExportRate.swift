import Domain
import EventLog
import Foundation
import Postgres
import PrivateServer
import ReadModels
import Service

/// Exports against psql, downloads against nginx, submissions beside an export, and the memory that one takes.
struct ExportRate: Sendable {
    private let laboratory: Laboratory
    private let database = "exported"

    init(_ laboratory: Laboratory) {
        self.laboratory = laboratory
    }

    func run() async throws -> [Reading] {
        let tools = try Tools(laboratory)
        return try await ServedLog.with(laboratory, database: database, settings: ServedExports.settings) { log in
            try await ExportedRecords(log).fill(laboratory.plan.exported)
            let exports = ServedExports(log: log)
            let made = try await laboratory.withFileExports(of: database) { files in
                [
                    try await rate(files, tools), try await archiveRate(files),
                    try await streamRate(files, tools, log.service.client),
                ]
            }
            let memory = try await memory(exports)
            return made + [try await downloads(exports, tools)] + memory + [try await submissions(exports)]
        }
    }

    /// Rows of a CSV file a second, against psql with the same columns in the same order.
    private func rate(_ files: FileExports, _ tools: Tools) async throws -> Reading {
        let pairs = try await Pairs.taken(laboratory.plan.pairs, "CSV rows/s") {
            try await rows(.csv, files)
        } reference: {
            try await laboratory.checkpoint()
            return try await tools.copied()
        }
        return Reading(
            "CSV export of \(laboratory.plan.exported) records, against COPY", pairs, unit: "rows/s", aim: .atLeast(0.7)
        )
    }

    private func archiveRate(_ files: FileExports) async throws -> Reading {
        let pairs = try await Pairs.taken(laboratory.plan.pairs, "Darwin Core rows/s") {
            try await rows(.dwca, files)
        } reference: {
            try await rows(.csv, files)
        }
        return Reading("Darwin Core archive, against the CSV export", pairs, unit: "rows/s", aim: .atLeast(0.5))
    }

    private func streamRate(_ files: FileExports, _ tools: Tools, _ client: APIClient) async throws -> Reading {
        let pairs = try await Pairs.taken(laboratory.plan.pairs, "streamed rows/s") {
            try await tools.streamed(client.base + "/v1/sightings")
        } reference: {
            try await rows(.csv, files)
        }
        return Reading("streamed CSV, against the CSV export", pairs, unit: "rows/s", aim: .atLeast(0.8))
    }

    private func rows(_ format: ExportFormat, _ files: FileExports) async throws -> Double {
        try await laboratory.checkpoint()
        let start = ContinuousClock.now
        let file = try await files.make(FileExportRequest(format: format, filter: RecordFilter()))
        let took = start.duration(to: .now)
        guard file.facts.contents.rows == laboratory.plan.exported else {
            throw ProgramError(description: "the export has \(file.facts.contents.rows) records")
        }
        return Double(file.facts.contents.rows) / took.seconds
    }

    /// Bytes of a CSV export a second, against nginx with the same file.
    private func downloads(_ exports: ServedExports, _ tools: Tools) async throws -> Reading {
        let client = try await exports.log.signedIn()
        let address = client.base + (try await exports.make("csv", client))
        let files = laboratory.folder + "/exports"
        try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: true)
        _ = try await tools.download(address, to: files + "/records.csv")
        let pairs = try await Nginx.serving(files, laboratory) { nginx in
            try await Pairs.taken(laboratory.plan.pairs, "data in MB/s") {
                try await tools.download(address)
            } reference: {
                try await tools.download(nginx.base + "/records.csv")
            }
        }
        return Reading("download of an export", pairs, unit: "MB/s", aim: .atLeast(0.5))
    }

    /// Submissions a second while the service makes exports, against without.
    private func submissions(_ exports: ServedExports) async throws -> Reading {
        let wrk = try WrkLoad(laboratory)
        _ = try await wrk.run(.post, try await exports.log.signedIn(), connections: 64, seconds: 2)
        let pairs = try await Pairs.taken(laboratory.plan.pairs, "POST beside an export") {
            let client = try await prepared(exports)
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    do {
                        try await exports.keepMaking("csv", client)
                    } catch {
                        // The last ones are broken off.
                        guard Task.isCancelled else { throw error }
                    }
                }
                let rate = try await wrk.run(.post, client, connections: 64)
                group.cancelAll()
                return rate
            }
        } reference: {
            try await wrk.run(.post, try await prepared(exports), connections: 64)
        }
        return Reading("POST beside an export, 64 connections", pairs, unit: "/s", aim: .atLeast(0.7))
    }

    /// A client, when nothing else is to be done.
    private func prepared(_ exports: ServedExports) async throws -> APIClient {
        try await exports.waitUntilMade()
        try await exports.log.service.waitUntilFollowed()
        try await laboratory.checkpoint()
        return try await exports.log.signedIn()
    }

    /// The memory that exports add to that of the service.
    private func memory(_ exports: ServedExports) async throws -> [Reading] {
        let process = exports.log.service.process.processIdentifier
        let client = try await exports.log.signedIn()
        guard let idle = ResidentMemory.mebibytes(of: process) else { return [] }
        var readings: [Reading] = []
        for format in ["csv", "dwca"] {
            let peak = try await ResidentMemory.peak(of: process) { _ = try await exports.make(format, client) }
            show("  memory: \(idle.short) MB idle, \(peak.short) MB at the peak of \(format)")
            readings.append(
                Reading("memory that an export adds, \(format)", [peak - idle], unit: "MB", aim: .atMost(64)))
        }
        return readings
    }
}

extension ExportRate {
    /// The programs that read what is compared.
    private struct Tools: Sendable {
        private let laboratory: Laboratory
        private let shell: Program
        private let psql: Program
        private let curl: Program

        init(_ laboratory: Laboratory) throws {
            self.laboratory = laboratory
            (shell, psql, curl) = (try Program("sh"), try Program("psql"), try Program("curl"))
        }

        /// Rows a second that psql copies to a file.
        func copied() async throws -> Double {
            var arguments = ["--no-psqlrc", "--quiet", "--set", "ON_ERROR_STOP=1"]
            arguments += ["--host", laboratory.server.socketDirectory, "--port", "\(PrivateServer.port)"]
            arguments += ["--username", PrivateServer.Role.owner.rawValue, "--dbname", "exported"]
            let schemas: [(String, ReadModel)] = [
                ("sightings", .sightingsPublic), ("taxa", .taxa), ("datasets", .datasets),
            ]
            for (name, model) in schemas { arguments += ["--set", "\(name)=\(model.schema)"] }
            arguments += ["--file", Laboratory.scripts + "/copy_occurrences.sql"]
            return try await rate(psql, arguments)
        }

        /// Rows of a stream a second that curl writes to a file.
        func streamed(_ address: String) async throws -> Double {
            try await rate(curl, ["-sS", "--fail", "--max-time", "600", "-H", "Accept: text/csv", address])
        }

        /// - Throws: ``ProgramError`` for other rows than were imported.
        private func rate(_ program: Program, _ arguments: [String]) async throws -> Double {
            let file = laboratory.folder + "/rows.csv"
            defer { try? FileManager.default.removeItem(atPath: file) }
            let took = try await AppendLoad.timed {
                try await shell.run(
                    ["-c", "exec \"$@\" > \"$0\"", file, program.path] + arguments, in: laboratory.folder)
            }
            let text = try await shell.run(["-c", "wc -l < \"$0\"", file], in: laboratory.folder)
            let rows = (Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 1) - 1
            guard rows == laboratory.plan.exported else {
                throw ProgramError(description: "\(program.name) wrote \(rows) rows")
            }
            return Double(rows) / took.seconds
        }

        /// Downloads a file.
        /// - Returns: megabytes a second.
        func download(_ address: String, to path: String = "/dev/null") async throws -> Double {
            let text = try await curl.run(
                ["-sS", "--fail", "-o", path, "-w", "%{size_download} %{time_total}", address], in: laboratory.folder)
            let numbers = text.split(separator: " ").compactMap { Double($0) }
            guard numbers.count == 2, numbers[1] > 0 else { throw ProgramError(description: "curl printed \(text)") }
            return numbers[0] / numbers[1] / 1_000_000
        }
    }
}
