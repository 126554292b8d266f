import Domain
import EventLog
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import Postgres
import ReadModels
import TestSupport
import Testing
import Web

@testable import Service
@testable import WebAPI

/// A rejection at the margin of a range takes two moderators, also while read models are behind.
@Suite(.hangs) struct MarginDecisionTests {
    private static let reject = #"{"decision":"reject","reasons":["wrong-place"]}"#

    private func decisions(on sighting: String) -> String { "/v1/moderation/sightings/\(sighting)/decisions" }

    private func submit(at latitude: Double, by observer: Caller) async throws -> String {
        let sighting = Caller.sighting().replacing("47.6577", with: "\(latitude)")
            .replacing("-122.4056", with: "-121.5")
        return try #require(try await observer.submit(sighting).text("id"))
    }

    /// Approves records in more cells than a range without a margin has.
    private func fillRange(by observer: Caller, _ moderator: Caller, _ served: ServedRoutes) async throws {
        for number in 0..<24 {
            let sighting = try await submit(at: 46 + Double(number) / 10, by: observer)
            let approved = try await moderator.send(
                .post, decisions(on: sighting), headers: [.ifMatch: "*"], json: #"{"decision":"approve"}"#)
            try #require(approved.status == .ok)
        }
        try await served.followToHead()
    }

    /// Sends the decision once: a caller would try again.
    private func decideOnce(on sighting: String, by moderator: Caller) async throws -> TestResponse {
        var headers: HTTPFields = [.ifMatch: "*", .idempotencyKey: UUID().uuidString, .contentType: "application/json"]
        headers[.authorization] = "Bearer \(try #require(moderator.token))"
        return try await moderator.served.client.execute(
            uri: decisions(on: sighting), method: .post, headers: headers, body: ByteBuffer(string: Self.reject))
    }

    @Test(arguments: [ReadModel.sightingsExact, .sightingsPublic])
    func `a rejection at the margin is 503 until the evidence is there`(_ model: ReadModel) async throws {
        try await ServedRoutes.run { served in
            let owner = try await Caller.register(served)
            let moderator = try await Caller.register(served, role: .moderator)
            try await fillRange(by: owner, moderator, served)
            try await served.database.withConnection(served.database.owner) { database in
                _ = try await database.query("begin")
                _ = try await database.query("select from model.checkpoints where name = \(model.name) for update")
                let sighting = try await submit(at: 45.9, by: owner)
                let unidentified = try #require(try await owner.submit(Caller.sighting("brown bird")).text("id"))
                let answer = try await decideOnce(on: sighting, by: moderator)
                #expect(try answer.status == .serviceUnavailable && answer.problem == "model-behind")
                let other = try await decideOnce(on: unidentified, by: moderator)
                #expect(try other.text("sighting.status") == "rejected", "it is in no range")
                _ = try await database.query("rollback")
                let asked = try await moderator.send(
                    .post, decisions(on: sighting), headers: [.ifMatch: "*"], json: Self.reject)
                #expect(try asked["review.secondOpinion"] == .boolean(true))
            }
        }
    }

    @Test func `a rejection inside of the range takes one moderator`() async throws {
        try await ServedRoutes.run { served in
            let owner = try await Caller.register(served)
            let moderator = try await Caller.register(served, role: .moderator)
            try await fillRange(by: owner, moderator, served)
            let sighting = try await submit(at: 47.15, by: owner)
            let rejected = try await moderator.send(
                .post, decisions(on: sighting), headers: [.ifMatch: "*"], json: Self.reject)
            #expect(try rejected.text("sighting.status") == "rejected")
        }
    }
}
