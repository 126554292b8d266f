import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import Postgres
import ReadModels
import TestSupport
import Testing

@testable import Service
@testable import Web

/// A birder of a region whose targets are chosen, and a moderator.
struct NotifiedScene: Sendable {
    static let region = "pacific-northwest"

    let served: ServedRoutes
    let birder: Caller
    let moderator: Caller

    init(_ served: ServedRoutes, choosing: Bool = true) async throws {
        self.served = served
        birder = try await Self.birder(served)
        moderator = try await Caller.register(served, role: .moderator)
        if choosing { try await choose() }
    }

    static func birder(_ served: ServedRoutes) async throws -> Caller {
        let email = "\(UUID().uuidString.lowercased())@example.org"
        let anonymous = Caller.anonymous(served)
        let account = try await anonymous.send(
            .post, "/v1/accounts",
            json: Caller.signUp(email).replacing(#""oldEnough""#, with: #""region":"\#(region)","oldEnough""#))
        let session = try await anonymous.send(.post, "/v1/sessions", json: Caller.credentials(email))
        return Caller(
            served: served, email: email, token: try session.text("accessToken"),
            account: try account.text("id").flatMap(AccountID.init))
    }

    var account: AccountID {
        get throws { try #require(birder.account) }
    }

    /// Chooses the targets of the running week, unless they are.
    func choose() async throws {
        _ = try await served.cases.targets.rotation.run([try RegionCode(Self.region)])
        try await served.followToHead()
    }

    /// The ids of the present targets and their taxa.
    func targets() async throws -> [(id: String, taxon: String)] {
        let answer = try await birder.send(.get, "/v1/me/targets", headers: try await position())
        return try (answer["week.targets"]?.items ?? []).map {
            (try #require($0["id"]?.string), try #require($0["taxon"]?["id"]?.string))
        }
    }

    /// Submits a finding of today.
    func find(_ taxon: String) async throws -> String {
        let zone = try #require(TimeZone(identifier: "America/Los_Angeles"))
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = zone
        let today = calendar.dateComponents([.year, .month, .day], from: Date())
        let day = try CivilDate(year: today.year ?? 0, month: today.month ?? 0, day: today.day ?? 0)
        let sent = try await birder.submit(
            #"{"taxonId":"\#(taxon)","count":1,"confidence":8,"observedAt":"\#(day)","#
                + #""latitude":47.6577,"longitude":-122.4056}"#)
        return try #require(try sent.text("id"))
    }

    @discardableResult
    func decide(_ sighting: String, _ body: String) async throws -> TestResponse {
        let answer = try await moderator.send(
            .post, "/v1/moderation/sightings/\(sighting)/decisions", headers: [.ifMatch: "*"], json: body)
        try #require(answer.status == .ok, "\(String(buffer: answer.body))")
        return answer
    }

    func approve(_ sighting: String) async throws {
        try await decide(sighting, #"{"decision":"approve"}"#)
    }

    func verify() async throws {
        let code = try await served.code(to: birder.email)
        let verified = try await birder.send(.put, "/v1/email-verifications", json: #"{"token":"\#(code)"}"#)
        try #require(verified.status == .noContent)
    }

    func position() async throws -> HTTPFields {
        try await Caller.anonymous(served).send(.get, "/v1/log").position
    }

    /// All notifications of the birder.
    func notifications(_ query: String = "") async throws -> [JSONValue] {
        let answer = try await birder.send(
            .get, "/v1/me/notifications?limit=200\(query)", headers: try await position())
        try #require(answer.status == .ok, "\(String(buffer: answer.body))")
        return try answer["items"]?.items ?? []
    }

    /// The numbers and kinds of all notifications.
    func kinds() async throws -> [String] {
        try await notifications().map { "\($0["number"]?.integer ?? 0) \($0["kind"]?.string ?? "")" }
    }
}
