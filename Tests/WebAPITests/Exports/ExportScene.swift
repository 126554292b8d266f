import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import Postgres
import TestSupport
import Testing

@testable import Service
@testable import Web

/// Exports over the routes; they are made when a test says so.
struct ExportScene {
    let served: ServedRoutes
    /// When the day of the submissions is over.
    let later = Instant.now.adding(seconds: 2 * 86_400)

    /// The day of the submissions.
    var day: CivilDate { Instant.now.date() }

    static func run(
        _ exports: ExportSettings? = nil, _ body: @Sendable (ExportScene) async throws -> Void
    ) async throws {
        try await ServedRoutes.run(exports: exports) { served in try await body(ExportScene(served: served)) }
    }

    /// Sends a request when the day of the submissions is over.
    func send(
        _ method: HTTPRequest.Method, _ path: String, by caller: Caller? = nil, key: UUID = UUID(),
        headers: HTTPFields = [:], json: String? = nil
    ) async throws -> TestResponse {
        try await ServedRoutes.$now.withValue(later) {
            try await (caller ?? .anonymous(served)).send(method, path, key: key, headers: headers, json: json)
        }
    }

    func ask(_ body: String, by caller: Caller, key: UUID = UUID()) async throws -> TestResponse {
        try await send(.post, "/v1/exports", by: caller, key: key, json: body)
    }

    /// Asks for all records of the day.
    func ask(for format: String = "csv", by caller: Caller) async throws -> TestResponse {
        try await ask(#"{"format":"\#(format)","asOf":"\#(day)"}"#, by: caller)
    }

    func worker() -> ExportWorker { served.cases.exports.worker(logger: served.logger) }

    /// Makes what waits.
    func make() async throws {
        try await served.followToHead()
        try await ServedRoutes.$now.withValue(later) { try await worker().work() }
        try await served.followToHead()
    }

    func state(_ id: String) async throws -> String? { try await send(.get, "/v1/exports/\(id)").text("state") }

    func data(_ id: String, _ query: String = "", headers: HTTPFields = [:]) async throws -> TestResponse {
        try await send(.get, "/v1/exports/\(id)/data\(query)", headers: headers)
    }

    /// Lets time pass for jobs.
    func pass(seconds: Double) async throws {
        try await served.database.withConnection(served.database.owner) { owner in
            _ = try await owner.query("update vault.jobs set due = due - make_interval(secs => \(seconds))")
        }
    }

    /// A sighting that a moderator has approved.
    func approved() async throws {
        let birder = try await Caller.register(served)
        let id = try #require(try await birder.submit().text("id"))
        let moderator = try await Caller.register(served, role: .moderator)
        let decided = try await moderator.send(
            .post, "/v1/moderation/sightings/\(id)/decisions", headers: [.ifMatch: "*"],
            json: #"{"decision":"approve"}"#)
        try #require(decided.status == .ok)
    }
}

extension ExportSettings.Limits {
    /// Limits with some changes.
    static func with(_ change: (inout Self) -> Void) -> Self {
        var limits = Self()
        change(&limits)
        return limits
    }
}
