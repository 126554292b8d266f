import Domain
import Foundation
import NIOHTTP1
import Service
import TestSupport
import Testing

@testable import PrivateServer

/// Two processes that read from a standby; the first has a server of another system in its URL too.
struct StandbyScene: Sendable {
    let pair: StreamingPair
    let stranger: PrivateServer
    let service: ServedSkein
    /// Nothing is written here, so its reads wait for no write of its own.
    let other: ServedSkein
    /// The `DATABASE_READ_URL` of the first process.
    let readURL: String

    static func run(_ body: @Sendable (StandbyScene) async throws -> Void) async throws {
        try await ServedSkein.inFolder { folder in
            let stranger = try await StreamingPair.server(in: folder + "/three")
            let result: Result<Void, any Error>
            do {
                result = .success(
                    try await StreamingPair.run(in: folder) { pair in
                        try await StandbyScene(pair, stranger, folder).run(body)
                    })
            } catch {
                result = .failure(error)
            }
            _ = try? await stranger.stop(mode: .immediate)
            try result.get()
        }
    }

    private init(_ pair: StreamingPair, _ stranger: PrivateServer, _ folder: String) {
        (self.pair, self.stranger) = (pair, stranger)
        let settings = [
            "DATABASE_URL": pair.primary.url(), "DATABASE_OWNER_URL": pair.primary.url(user: .owner),
            // A read that waits for a statement's deadline takes much longer than one that is slow.
            "SKEIN_DATABASE_TIMEOUT": "120", "SKEIN_MAP_TIMEOUT": "120",
        ]
        readURL = PrivateServer.url(of: [pair.standby, stranger], toWrite: false)
        service = ServedSkein(
            folder: folder, name: "a", settings: settings.merging(["DATABASE_READ_URL": readURL]) { $1 })
        other = ServedSkein(
            folder: folder, name: "b", settings: settings.merging(["DATABASE_READ_URL": pair.standby.url()]) { $1 })
    }

    private func run(_ body: @Sendable (StandbyScene) async throws -> Void) async throws {
        let result: Result<Void, any Error>
        do {
            for service in [service, other] {
                try await service.start()
                try await untilRead(of: service)
            }
            result = .success(try await body(self))
        } catch {
            result = .failure(error)
        }
        for service in [service, other] { await service.stop(SIGTERM) }
        try result.get()
    }

    /// Waits until the standby is read from.
    func untilRead(of service: ServedSkein) async throws {
        try await until("\(service.log)") { try await metric("skein_standby_up", service) == 1 }
    }

    /// Waits until the first process says why the standby is not read from.
    func untilFault(_ fault: String) async throws {
        try await untilCheck(of: pair.standby, "warning \(fault)")
    }

    /// Waits until the first process reports a server with a status and the beginning of a detail.
    func untilCheck(of server: PrivateServer, _ report: String) async throws {
        try await until("not \(report): \(service.log)") {
            try await check(server, service)?.hasPrefix(report) == true
        }
    }

    /// A metric of the standby.
    func metric(_ name: String, _ service: ServedSkein) async throws -> Int? {
        let text = String(decoding: try await service.operations("/metrics").body, as: UTF8.self)
        let series = "\(name){standby=\"\(Self.name(of: pair.standby))\"} "
        return text.split(separator: "\n").first { $0.hasPrefix(series) }
            .flatMap { Int($0.dropFirst(series.count)) }
    }

    /// How `/readyz` names a server, as its status and detail.
    func check(_ server: PrivateServer, _ service: ServedSkein) async throws -> String? {
        let report = try await service.operations("/readyz")
        try #require(report.status == 200)
        let checks = report["checks"] as? [[String: Any]] ?? []
        return checks.first { $0["name"] as? String == "standby:\(Self.name(of: server))" }
            .map { "\($0["status"] ?? "") \($0["detail"] ?? "")" }
    }

    static func name(of server: PrivateServer) -> String { "\(server.socketDirectory):\(PrivateServer.port)" }

    /// How many reads the standby has answered to a process, the first one unless another is named, while something
    /// ran.
    func reads(of process: ServedSkein? = nil, _ body: () async throws -> Void) async throws -> Int {
        let process = process ?? service
        let before = try #require(try await metric("skein_standby_reads_total", process))
        try await body()
        return try #require(try await metric("skein_standby_reads_total", process)) - before
    }

    /// Has the standby replay commits only after a time, in PostgreSQL's words: an hour (1h), or at once (0).
    func delayReplay(_ delay: String) async throws {
        try await pair.standby.query("alter system set recovery_min_apply_delay = '\(delay)'", database: "postgres")
        try await pair.standby.query("select pg_reload_conf()", database: "postgres")
        try await until("the standby has another delay") {
            try await pair.standby.query("show recovery_min_apply_delay") == delay
        }
    }

    /// The position in a header of an answer.
    func position(_ header: String, _ answer: Answer) async throws -> Int64 {
        let key = try await pair.primary.query("select encode(key, 'base64') from log.head")
        let bytes = try #require(Data(base64Encoded: key, options: .ignoreUnknownCharacters))
        let token = try #require(answer.header(header))
        return try PositionSeal(key: Array(bytes)).position(token, epoch: 1, at: .now)
    }
}
