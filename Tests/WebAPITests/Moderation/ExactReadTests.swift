import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import Testing
import Vault

@testable import Web

/// Every read of an exact place that everyone else does not see is in the audit.
extension RouteTests {
    /// How an open sighting loses its public place, without losing its public id, and how one never had it.
    private enum Loss: CaseIterable {
        case none, rejected, withdrawn, narrowed, obscured

        /// The members of its submission.
        var wish: String { self == .obscured ? #","geoprivacy":"obscured""# : "" }
    }

    /// A sighting with a photo.
    private struct Scene {
        let owner: Caller
        let sighting: String
        let photo: String

        init(_ served: ServedRoutes, _ loss: Loss) async throws {
            owner = try await Caller.register(served)
            sighting = try #require(try await owner.submit(Caller.sighting(more: loss.wish)).text("id"))
            photo = try #require(try await SampleRequests.addPhoto(to: sighting, by: owner).text("id"))
            let finding = "/v1/me/findings/\(sighting)"
            switch loss {
            case .none, .obscured: break
            case .rejected:
                let judge = try await Caller.register(served, role: .moderator)
                let rejected = try await judge.send(
                    .post, "/v1/moderation/sightings/\(sighting)/decisions", headers: [.ifMatch: "*"],
                    json: #"{"decision":"reject","reasons":["wrong-place"]}"#)
                try #require(rejected.status == .ok)
            case .withdrawn:
                let withdrawn = try await owner.send(.delete, finding, headers: [.ifMatch: "*"])
                try #require(withdrawn.status.kind == .successful)
            case .narrowed:
                let narrowed = try await owner.send(
                    .patch, finding, headers: [.ifMatch: "*"], json: #"{"geoprivacy":"private"}"#)
                try #require(narrowed.status == .ok)
            }
            try await served.followToHead()
        }

        /// Requests whose responses have the exact place, a file that may have it, or the time of the upload.
        var reads: [(method: HTTPRequest.Method, path: String, headers: HTTPFields)] {
            let place = "/v1/moderation/sightings/\(sighting)"
            let original = "/v1/moderation/photos/\(photo)/original"
            return [
                (.get, place, [:]), (.head, place, [:]), (.get, place, [.ifNoneMatch: "*"]),
                (.get, place + "/history", [:]), (.get, original, [:]), (.head, original, [:]),
                (.get, original, [.range: "bytes=0-9"]), (.get, original, [.ifNoneMatch: "*"]),
                (.get, "/v1/moderation/photos/\(photo)", [:]),
            ]
        }
    }

    @Test func `a read of a place that everyone else does not see is noted, whatever the id`() async throws {
        let served = try ServedRoutes.required
        for loss in Loss.allCases {
            let scene = try await Scene(served, loss)
            for read in scene.reads {
                let moderator = try await Caller.register(served, role: .moderator)
                let answer = try await moderator.send(read.method, read.path, headers: read.headers)
                #expect([200, 206, 304].contains(answer.status.code), "\(loss) \(read)")
                let noted = try await served.reads(by: moderator).map(\.sighting.description)
                #expect(noted == (loss == .none ? [] : [scene.sighting]), "\(loss) \(read)")
            }
            let moderator = try await Caller.register(served, role: .moderator)
            _ = try await moderator.send(.get, "/v1/moderation/photos/\(scene.photo)/thumb")
            #expect(try await served.reads(by: moderator).isEmpty, "it has no place")
        }
    }

    @Test func `responses to commands and the queue are noted like reads`() async throws {
        let served = try ServedRoutes.required
        let scene = try await Scene(served, .rejected)
        let place = "/v1/moderation/sightings/\(scene.sighting)"
        let finding = try await scene.owner.send(.get, "/v1/me/findings/\(scene.sighting)")
        let taxon = #"{"taxonId":"\#(try #require(try finding.text("taxon.id")))"}"#
        for (method, path, body) in [
            (HTTPRequest.Method.post, "/identifications", taxon), (.put, "/captive", #"{"captive":true}"#),
        ] {
            let moderator = try await Caller.register(served, role: .moderator)
            let answer = try await moderator.send(method, place + path, headers: [.ifMatch: "*"], json: body)
            #expect(answer.status.kind == .successful, "\(path): \(String(buffer: answer.body))")
            #expect(try await served.reads(of: scene.sighting, by: moderator).count == 1, "\(path)")
        }
        let appealed = try await scene.owner.send(
            .post, "/v1/me/findings/\(scene.sighting)/appeals",
            json: #"{"text":"It was there."}"#)
        try #require(appealed.status.kind == .successful, "\(String(buffer: appealed.body))")
        try await served.followToHead()
        let moderator = try await Caller.register(served, role: .moderator)
        let path = "/v1/moderation/queue?scope=all&limit=200&from=2026-05-01&to=2026-05-01"
        let items = try await moderator.send(.get, path)["items"]?.items ?? []
        #expect(items.contains { $0["id"]?.string == scene.sighting })
        #expect(try await served.reads(of: scene.sighting, by: moderator).count == 1)
    }

    @Test func `a history is noted if everyone else does not see one of its places`() async throws {
        let served = try ServedRoutes.required
        for wish in ["", #","geoprivacy":"private""#] {
            let owner = try await Caller.register(served)
            let sighting = try #require(try await owner.submit(Caller.sighting(more: wish)).text("id"))
            for change in [#"{"latitude":47.7}"#, #"{"geoprivacy":"open"}"#] {
                let changed = try await owner.send(
                    .patch, "/v1/me/findings/\(sighting)", headers: [.ifMatch: "*"], json: change)
                try #require(changed.status == .ok)
            }
            try await served.followToHead()
            let moderator = try await Caller.register(served, role: .moderator)
            let path = "/v1/moderation/sightings/\(sighting)"
            _ = try await moderator.send(.get, path)
            #expect(try await served.reads(by: moderator).isEmpty, "the present place is public")
            _ = try await moderator.send(.get, path + "/history")
            #expect(try await served.reads(by: moderator).count == (wish.isEmpty ? 0 : 1))
        }
    }

    @Test func `a page of the queue notes what it says of the next one`() async throws {
        let served = try ServedRoutes.required
        let owner = try await Caller.register(served)
        var sent: [String] = []
        for _ in 0..<2 {
            let hidden = Caller.sighting(on: "2022-03-07").replacing("}", with: #","geoprivacy":"private"}"#)
            sent.append(try #require(try await owner.submit(hidden).text("id")))
        }
        try await served.followToHead()
        let moderator = try await Caller.register(served, role: .moderator)
        let path = "/v1/moderation/queue?scope=all&limit=1&from=2022-03-07&to=2022-03-07"
        let page = try await moderator.send(.get, path)
        #expect(try page["items"]?.items.map { $0["id"]?.string } == [sent[0]] && page.text("next") != nil)
        #expect(Set(try await served.reads(by: moderator).map(\.sighting.description)) == Set(sent))
    }

    @Test func `the queue finds guarded sightings by their months, and by no observer`() async throws {
        let served = try ServedRoutes.required
        let owner = try await Caller.register(served)
        let observer = try #require(try await owner.send(.get, "/v1/me").text("observerId"))
        var (sent, position): ([String], HTTPFields) = ([], [:])
        for wish in ["", #","geoprivacy":"private""#] {
            let sighting = Caller.sighting(on: "2025-04-10").replacing("}", with: wish + "}")
            let answer = try await owner.submit(sighting)
            (sent, position) = (sent + [try #require(try answer.text("id"))], try answer.position)
        }
        let owl = Caller.sighting("Spotted Owl").replacing("2026-05-01", with: "2025-04-10")
        sent.append(try #require(try await owner.submit(owl).text("id")))
        try await served.followToHead()
        let moderator = try await Caller.register(served, role: .moderator)
        for (from, to, found) in [
            ("2025-04-10", "2025-04-10", sent), ("2025-04-20", "2025-04-20", Array(sent.dropFirst())),
            ("2025-04-01", "2025-04-30", sent), ("2025-05-01", "2025-05-31", []), ("2025-03-01", "2025-03-31", []),
        ] {
            let path = "/v1/moderation/queue?scope=all&limit=200&from=\(from)&to=\(to)"
            let items = try await moderator.send(.get, path, headers: position)["items"]?.items ?? []
            #expect(items.compactMap { $0["id"]?.string } == found, "\(from)")
        }
        let claimed = try await moderator.send(
            .post, "/v1/moderation/claims", json: #"{"limit":50,"observerId":"\#(observer)","day":"2025-04-10"}"#)
        #expect(try claimed["items"]?.items.map { $0["id"]?.string } == [sent[0]])
    }

    @Test func `statistics count what concerns guarded sightings when its month is over`() async throws {
        // Alone: they count what all do.
        try await ServedRoutes.run { served in
            let owner = try await Caller.register(served)
            let moderator = try await Caller.register(served, role: .moderator)
            func counted(daysAhead: Int = 0) async throws -> [Int] {
                try await served.followToHead()
                let answer = try await moderator.read("/v1/moderation/stats", daysAhead: daysAhead)
                let weeks = try (try answer["weeks"]?.items ?? []).map { try #require($0["decisions"]?.integer) }
                let deciders = try (try answer["moderators"]?.items ?? []).map {
                    try #require($0["decisions"]?.integer)
                }
                let waiting = try #require(try answer["waiting.sightings"]?.integer)
                return [waiting, weeks.reduce(0, +), deciders.reduce(0, +)]
            }
            for (number, wish) in ["", #","geoprivacy":"private""#].enumerated() {
                let before = try await counted()
                for isDecided in [true, false] {
                    let id = try #require(try await owner.submit(Caller.sighting(more: wish)).text("id"))
                    guard isDecided else { continue }
                    let approved = try await moderator.send(
                        .post, "/v1/moderation/sightings/\(id)/decisions", headers: [.ifMatch: "*"],
                        json: #"{"decision":"approve"}"#)
                    try #require(approved.status == .ok)
                }
                #expect(try await counted() == before.map { wish.isEmpty ? $0 + 1 : $0 })
                #expect(try await counted(daysAhead: 40) == before.map { _ in number + 1 })
            }
            let now = try await moderator.read("/v1/moderation/stats", daysAhead: 0)
            let oldest = try #require(try now.text("waiting.oldest"))
            let later = try await moderator.read("/v1/moderation/stats", daysAhead: 40)
            let month = try #require(try later.text("waiting.oldest"))
            #expect(oldest != month, "the public one is the oldest")
            #expect(month.hasPrefix(oldest.prefix(7) + "-01T00:00:00"))
        }
    }
}
