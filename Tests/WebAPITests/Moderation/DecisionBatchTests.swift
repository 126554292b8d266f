import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import Testing
import Vault

@testable import Service
@testable import Web

extension RouteTests {
    private func item(
        _ subject: String, _ id: String, version: Int = 1, key: UUID = UUID(), _ more: String = #""decision":"approve""#
    ) -> String {
        #"{"key":"\#(key)","subject":"\#(subject)","id":"\#(id)","version":\#(version),\#(more)}"#
    }

    private func decide(_ items: [String], by moderator: Caller) async throws -> TestResponse {
        try await moderator.send(
            .post, "/v1/moderation/decisions", json: #"{"items":[\#(items.joined(separator: ","))]}"#)
    }

    private func statuses(_ response: TestResponse) throws -> [Int] {
        try response.json["items"]?.items.compactMap { $0["status"]?.integer } ?? []
    }

    @Test func `each item of a batch has its own result, and a repeated batch has the same`() async throws {
        let served = try ServedRoutes.required
        let owner = try await Caller.register(served)
        let moderator = try await Caller.register(served, role: .moderator)
        let sighting = try #require(try await owner.submit().text("id"))
        let photo = try #require(try await SampleRequests.addPhoto(to: sighting, by: owner).text("id"))
        let own = try #require(try await moderator.submit().text("id"))
        let items = [
            item("sighting", sighting), item("photo", photo), item("sighting", own),
            item("sighting", sighting, version: 9), item("sighting", UUID().uuidString),
            item("photo", photo, #""decision":"reject","reasons":["wrong-date"]"#),
            item("sighting", own, #""decision":"reject""#), #"{"subject":"sighting"}"#,
        ]
        let decided = try await decide(items, by: moderator)
        #expect(decided.status == .ok)
        #expect(try statuses(decided).prefix(3) == [200, 200, 403])
        #expect(try statuses(decided)[3...7] == [412, 404, 422, 403, 422])
        #expect(try decided.text("items.5.problem.errors.0.pointer") == "/items/5/reasons/0")
        #expect(try decided["items.0.version"] == .integer(2))
        let again = try await decide(items, by: moderator)
        #expect(try again.text("batchId") == decided.text("batchId"))
        #expect(try statuses(again).prefix(3) == [200, 200, 403] && again["items.0.version"] == .integer(2))
    }

    @Test func `what takes two moderators is decided alone`() async throws {
        let served = try ServedRoutes.required
        let owner = try await Caller.register(served)
        let moderator = try await Caller.register(served, role: .moderator)
        let sighting = try #require(try await owner.submit().text("id"))
        let decided = try await decide(
            [item("sighting", sighting, #""decision":"reject","reasons":["out-of-range"]"#)], by: moderator)
        #expect(try decided.text("items.0.problem.type") == "/problems/second-opinion-in-batch")
    }

    private func undo(_ batch: TestResponse, by moderator: Caller) async throws -> TestResponse {
        let path = "/v1/moderation/batches/\(try #require(try batch.text("batchId")))/undo"
        return try await moderator.send(.post, path, headers: try batch.position)
    }

    @Test func `undoing a batch takes its questions back`() async throws {
        let served = try ServedRoutes.required
        let owner = try await Caller.register(served)
        let (first, second) = (
            try await Caller.register(served, role: .moderator), try await Caller.register(served, role: .moderator)
        )
        let asks = #""decision":"ask","note":"Where?""#
        let (pending, approved) = (
            try #require(try await owner.submit().text("id")), try #require(try await owner.submit().text("id"))
        )
        _ = try await first.send(
            .post, "/v1/moderation/sightings/\(approved)/decisions", headers: [.ifMatch: "*"],
            json: #"{"decision":"approve"}"#)
        let asked = try await decide(
            [item("sighting", pending, asks), item("sighting", approved, version: 2, asks)], by: first)
        #expect(try statuses(asked) == [200, 200])
        for id in [pending, approved] {
            let path = "/v1/moderation/sightings/\(id)"
            #expect(try await first.send(.get, path)["review.parkedUntil"]?.string != nil)
        }
        let undone = try await undo(asked, by: second)
        #expect(try undone.status == .ok && statuses(undone) == [200, 200])
        #expect(Set(try undone.json["items"]?.items.map { $0["id"]?.string } ?? []) == [pending, approved])
        for (id, status) in [(pending, "pending"), (approved, "approved")] {
            let sighting = try await first.send(.get, "/v1/moderation/sightings/\(id)")
            #expect(try sighting["review.parkedUntil"] == .null && sighting.text("sighting.status") == status)
            let own = try await owner.send(.get, "/v1/me/findings", headers: try undone.position)
            let finding = try own.json["items"]?.items.first { $0["id"]?.string == id }
            #expect(finding?["review"]?["parkedUntil"] == .null)
        }
        // An answered question stays.
        let third = try #require(try await owner.submit().text("id"))
        let later = try await decide([item("sighting", third, asks)], by: first)
        _ = try await owner.send(.post, "/v1/me/findings/\(third)/answers", json: #"{"text":"by the pond"}"#)
        #expect(try statuses(try await undo(later, by: second)) == [409])
    }

    @Test func `undoing leaves what another moderator has claimed`() async throws {
        let served = try ServedRoutes.required
        let owner = try await Caller.register(served)
        let moderators = [
            try await Caller.register(served, role: .moderator), try await Caller.register(served, role: .moderator),
        ]
        let sighting = try #require(try await owner.submit().text("id"))
        let photo = try #require(try await SampleRequests.addPhoto(to: sighting, by: owner).text("id"))
        let decided = try await decide([item("sighting", sighting), item("photo", photo)], by: moderators[0])
        for (subject, id) in [("sighting", sighting), ("photo", photo)] {
            let item = Claims.Item(subject: subject, id: try #require(UUID(uuidString: id)), version: 2)
            let taken = try await served.cases.moderation.service.claims.claim(
                [item], by: try #require(moderators[1].account), at: .now)
            #expect(taken.held.count == 1)
        }
        let undone = try await undo(decided, by: moderators[0])
        #expect(try statuses(undone) == [409, 409])
        #expect(try undone.text("items.0.problem.type") == "/problems/claimed")
        #expect(try undone.text("items.1.problem.type") == "/problems/claimed")
        #expect(try statuses(try await undo(decided, by: moderators[1])) == [200, 200])
    }

    @Test func `a repeated reason counts once`() async throws {
        let served = try ServedRoutes.required
        let owner = try await Caller.register(served)
        let moderator = try await Caller.register(served, role: .moderator)
        let sighting = try #require(try await owner.submit().text("id"))
        let photo = try #require(try await SampleRequests.addPhoto(to: sighting, by: owner).text("id"))
        let decided = try await decide(
            [
                item("sighting", sighting, #""decision":"reject","reasons":["wrong-date","wrong-date"]"#),
                item("photo", photo, #""decision":"reject","reasons":["unreadable","unreadable"]"#),
            ], by: moderator)
        #expect(try statuses(decided) == [200, 200])
        let reviewed = try await moderator.send(.get, "/v1/moderation/sightings/\(sighting)")
        #expect(try reviewed["review.reasons"]?.items.count == 1)
        #expect(try await moderator.send(.get, "/v1/moderation/photos/\(photo)")["reasons"]?.items.count == 1)
    }

    @Test func `undoing a batch restores what was before, and lists what has changed since`() async throws {
        let served = try ServedRoutes.required
        let owner = try await Caller.register(served)
        let (first, second) = (
            try await Caller.register(served, role: .moderator), try await Caller.register(served, role: .moderator)
        )
        let sightings = [
            try #require(try await owner.submit().text("id")), try #require(try await owner.submit().text("id")),
        ]
        let photo = try #require(try await SampleRequests.addPhoto(to: sightings[0], by: owner).text("id"))
        let hides = #""decision":"reject","reasons":["inappropriate"]"#
        let decided = try await decide(
            [item("sighting", sightings[0]), item("sighting", sightings[1]), item("photo", photo, hides)], by: first)
        #expect(try statuses(decided) == [200, 200, 200])
        _ = try await first.send(
            .post, "/v1/moderation/sightings/\(sightings[1])/decisions", headers: [.ifMatch: "*"],
            json: #"{"decision":"reject","reasons":["wrong-date"]}"#)
        let path = "/v1/moderation/batches/\(try #require(try decided.text("batchId")))/undo"
        // Without the position: the second moderator does not know what the first one's process has recorded.
        let undone = try await second.send(.post, path)
        let results = try undone.json["items"]?.items ?? []
        let byID = Dictionary(
            uniqueKeysWithValues: results.map { ($0["id"]?.string ?? "", $0["status"]?.integer ?? 0) })
        #expect(byID == [sightings[0]: 200, sightings[1]: 409, photo: 200])
        #expect(try await owner.send(.get, "/v1/me/findings/\(sightings[0])").text("status") == "pending")
        let restored = try await first.send(.get, "/v1/moderation/photos/\(photo)")
        #expect(try restored.text("status") == "pending" && restored["hidden"] == .boolean(false))
        let unknown = try await second.send(.post, "/v1/moderation/batches/\(UUID())/undo")
        #expect(unknown.status == .notFound)
        #expect(try await owner.send(.post, path).status == .forbidden)
    }
}
