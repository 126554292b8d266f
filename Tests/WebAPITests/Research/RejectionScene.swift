import Domain
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import Testing

@testable import Web

/// Sightings of a birder, which a moderator rejects.
struct RejectionScene {
    let owner: Caller
    let moderator: Caller
    let researcher: Caller
    let stranger: Caller

    init(_ served: ServedRoutes) async throws {
        owner = try await Caller.register(served)
        moderator = try await Caller.register(served, role: .moderator)
        researcher = try await Caller.register(served, role: .researcher)
        stranger = Caller.anonymous(served)
    }

    func submit(_ name: String = "Pacific Wren", on day: String = "2026-05-01", more: String = "") async throws
        -> String
    {
        let body = Caller.sighting(name, more: more).replacing("2026-05-01", with: day)
        return try #require(try await owner.submit(body).text("id"))
    }

    func reject(_ id: String, _ reasons: String) async throws {
        try await decide(id, #""decision":"reject",\#(reasons)"#)
    }

    func decide(_ id: String, _ decision: String) async throws {
        let decided = try await moderator.send(
            .post, "/v1/moderation/sightings/\(id)/decisions", headers: [.ifMatch: "*"], json: "{\(decision)}")
        try #require(decided.status == .ok, "\(String(buffer: decided.body))")
    }

    /// The records of a list, by their public ids.
    func records(_ caller: Caller, _ path: String, daysAhead: Int) async throws -> [String: JSONValue] {
        let list = try await caller.read(path, daysAhead: daysAhead)
        try #require(list.status == .ok, "\(String(buffer: list.body))")
        let items = try #require(try list["items"]?.items)
        return Dictionary(uniqueKeysWithValues: items.map { ($0["id"]?.string ?? "", $0) })
    }
}
