import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOConcurrencyHelpers
import Postgres
import TestSupport
import Testing

@testable import Web

/// Many photos, each of a sighting of its own, and several moderators at once, on a database of their own.
@Suite(.routes)
struct CrowdedQueueTests {
    private static let photos = 2_000

    @Test func `five moderators clear a queue: nothing is judged twice, and nothing skipped`() async throws {
        let served = try ServedRoutes.required
        try await fill(served)
        let turns = NIOLockedValueBox([0, 0, 0, 0, 0])
        let judged = try await withThrowingTaskGroup(of: [String].self) { group in
            for number in 0..<5 {
                let moderator = try await Caller.register(served, role: .moderator)
                group.addTask { try await clear(by: moderator, oneByOne: number < 2, number, turns) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(judged.count == 5 && judged.allSatisfy { $0.count > 50 })
        let all = judged.flatMap { $0 }
        #expect(all.count == Self.photos && Set(all).count == Self.photos)
        let logged = try await served.database.withConnection(served.database.owner) { owner in
            try await owner.query(
                """
                select count(*) as decisions, count(distinct stream) as photos from log.events
                 where type in ('PhotoApproved', 'PhotoRejected')
                """
            ).onlyRow()
        }
        #expect(try logged.decode("decisions", as: Int.self) == Self.photos)
        #expect(try logged.decode("photos", as: Int.self) == Self.photos)
    }

    /// Copies a sighting and its photo.
    private func fill(_ served: ServedRoutes) async throws {
        let owner = try await Caller.register(served)
        let sighting = try #require(try await owner.submit().text("id"))
        let photo = try #require(try await SampleRequests.addPhoto(to: sighting, by: owner).text("id"))
        let copies = Self.photos - 1
        try await served.appendCopies(of: sighting, copies, "'{}'::jsonb")
        try await served.appendCopies(
            of: photo, copies,
            """
            jsonb_build_object('sighting', (
                select s.stream from log.events s where s.position = l.position - \(Int64(copies)) + n))
            """)
        try await served.followToHead()
    }

    /// Claims and decides until nothing is left to claim.
    /// - Parameter turns: how often each moderator has claimed.
    /// - Returns: the photos that were decided.
    private func clear(
        by moderator: Caller, oneByOne: Bool, _ number: Int, _ turns: NIOLockedValueBox<[Int]>
    ) async throws -> [String] {
        var decided: [String] = []
        while true {
            if turns.withLockedValue({ $0[number] == 2 }) {
                // However fast, no moderator clears the queue before all have claimed twice.
                try await until("a moderator does not claim") { turns.withLockedValue { $0.allSatisfy { $0 >= 2 } } }
            }
            let claims = try await moderator.send(
                .post, "/v1/moderation/claims", json: #"{"limit":50,"subject":"photo"}"#)
            turns.withLockedValue { $0[number] += 1 }
            let claimed = try claims.json["items"]?.items.compactMap { $0["id"]?.string } ?? []
            if claimed.isEmpty { return decided }
            decided += oneByOne ? try await approve(claimed, by: moderator) : try await reject(claimed, by: moderator)
        }
    }

    private func approve(_ photos: [String], by moderator: Caller) async throws -> [String] {
        for photo in photos {
            let answer = try await moderator.send(
                .post, "/v1/moderation/photos/\(photo)/decisions", headers: [.ifMatch: #""1.x""#],
                json: #"{"decision":"approve"}"#)
            #expect(answer.status == .ok)
        }
        return photos
    }

    private func reject(_ photos: [String], by moderator: Caller) async throws -> [String] {
        let items = photos.map {
            #"{"key":"\#(UUID())","subject":"photo","id":"\#($0)","version":1,"decision":"reject","#
                + #""reasons":["unreadable"]}"#
        }
        let answer = try await moderator.send(
            .post, "/v1/moderation/decisions", json: #"{"items":[\#(items.joined(separator: ","))]}"#)
        let results = try answer.json["items"]?.items ?? []
        #expect(results.count == photos.count && results.allSatisfy { $0["status"]?.integer == 200 })
        return photos
    }
}
