import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import Postgres
import Service
import TestSupport
import Testing

@testable import Web

extension RouteTests {
    /// An observer's sightings, which no other test claims.
    private struct Heap {
        /// The moment from which minutes count, however long a test takes.
        let start: Instant
        let observer: String
        let ids: [String]
        let position: HTTPFields

        init(_ served: ServedRoutes, count: Int) async throws {
            let owner = try await Caller.register(served)
            observer = try #require(try await owner.send(.get, "/v1/me").text("observerId"))
            var (ids, position): ([String], HTTPFields) = ([], [:])
            for _ in 0..<count {
                let sent = try await owner.submit(Caller.sighting(on: "2026-04-14"))
                ids.append(try #require(try sent.text("id")))
                position = try sent.position
            }
            (self.ids, self.position, start) = (ids, position, .now)
        }

        /// The places in the heap of what a moderator claims some minutes after the start.
        func claim(_ limit: Int, by moderator: Caller, after minutes: Int = 0) async throws -> [Int] {
            try await ServedRoutes.$now.withValue(start.adding(seconds: 60 * minutes)) {
                let answer = try await moderator.send(
                    .post, "/v1/moderation/claims", headers: position,
                    json: #"{"limit":\#(limit),"observerId":"\#(observer)"}"#)
                return places(try answer.json)
            }
        }

        /// The places in the heap of what a moderator's queue shows some minutes after the start.
        func queue(of moderator: Caller, after minutes: Int = 0) async throws -> [Int] {
            let page = try await moderator.read(
                "/v1/moderation/queue?limit=200\(Self.day)", at: start.adding(seconds: 60 * minutes),
                headers: position)
            return places(try page.json)
        }

        /// Ends all claims of a moderator, some minutes after the start.
        func release(by moderator: Caller, after minutes: Int) async throws {
            let answer = try await ServedRoutes.$now.withValue(start.adding(seconds: 60 * minutes)) {
                try await moderator.send(.delete, "/v1/moderation/claims")
            }
            #expect(answer.status == .noContent)
        }

        /// Only heaps are of this day: with the sightings of all tests, the queue would have several pages.
        private static let day = "&from=2026-04-14&to=2026-04-14"

        private func places(_ page: JSONValue) -> [Int] {
            (page["items"]?.items ?? []).compactMap { item in ids.firstIndex { $0 == item["id"]?.string } }
        }
    }

    @Test func `one's own claims come first and are renewed, and end after ten minutes`() async throws {
        let served = try ServedRoutes.required
        let heap = try await Heap(served, count: 4)
        let (one, other) = (
            try await Caller.register(served, role: .moderator), try await Caller.register(served, role: .moderator)
        )
        #expect(try await heap.claim(1, by: one) == [0])
        #expect(try await heap.claim(1, by: other, after: 5) == [1])
        #expect(try await heap.queue(of: one, after: 5) == [0, 2, 3])
        #expect(try await heap.queue(of: other, after: 5) == [1, 2, 3])
        #expect(try await heap.claim(2, by: one, after: 9) == [0, 2])
        #expect(try await heap.queue(of: other, after: 11) == [1, 3], "renewed at nine minutes")
        #expect(try await heap.claim(4, by: one, after: 16) == [0, 2, 1, 3], "the other's has ended")
        #expect(try await heap.queue(of: other, after: 17) == [])
        try await heap.release(by: one, after: 17)
        #expect(try await heap.claim(4, by: other, after: 17) == [0, 1, 2, 3])
    }

    @Test func `moderators who claim at once share what waits, and nobody gets less than there is`() async throws {
        let served = try ServedRoutes.required
        let (heap, size) = (try await Heap(served, count: 12), 2)
        var moderators: [Caller] = []
        for _ in 0..<6 { moderators.append(try await Caller.register(served, role: .moderator)) }
        let claimed = await atOnce(moderators.map { moderator in { try await heap.claim(size, by: moderator) } })
        #expect(claimed.allSatisfy { $0.count == size }, "\(claimed)")
        #expect(claimed.flatMap(\.self).sorted() == Array(heap.ids.indices))
    }

    @Test func `a moderator holds a hundred items, whatever the filters, one after the other or at once`()
        async throws
    {
        let served = try ServedRoutes.required
        var heaps: [Heap] = []
        for _ in 0..<3 { heaps.append(try await Heap(served, count: 45)) }
        let (one, other) = (
            try await Caller.register(served, role: .moderator), try await Caller.register(served, role: .moderator)
        )
        var claimed: [Int] = []
        for heap in heaps { claimed.append(try await heap.claim(50, by: one).count) }
        #expect(claimed == [45, 45, 10])
        #expect(try await heaps[2].claim(50, by: one).count == 10, "renewed")
        #expect(try await heaps[2].claim(50, by: other) == Array(10..<45))
        // Each ends when it is decided.
        _ = try await one.send(
            .post, "/v1/moderation/sightings/\(heaps[0].ids[0])/decisions", headers: [.ifMatch: "*"],
            json: #"{"decision":"approve"}"#)
        try await heaps[2].release(by: other, after: 0)
        #expect(try await heaps[2].claim(50, by: one).count == 11)
        try await heaps[0].release(by: one, after: 0)
        let held = await atOnce(heaps.map { heap in { try await heap.claim(50, by: other) } })
        #expect(held.map(\.count).reduce(0, +) == 100)
        #expect(try await served.claims(of: other) == 100)
    }

    @Test func `a moderator who is suspended, or is one no more, holds no claims`() async throws {
        let served = try ServedRoutes.required
        let heap = try await Heap(served, count: 2)
        let admin = try await Caller.register(served, role: .admin)
        let other = try await Caller.register(served, role: .moderator)
        for (method, path, body) in [
            (HTTPRequest.Method.put, "/suspension", #"{"reason":"abuse"}"#),
            (.delete, "/roles/moderator?reason=resigned", nil),
        ] {
            let moderator = try await Caller.register(served, role: .moderator)
            #expect(try await heap.claim(2, by: moderator) == [0, 1])
            #expect(try await heap.queue(of: other) == [])
            let account = try #require(moderator.account)
            #expect(try await admin.send(method, "/v1/accounts/\(account)\(path)", json: body).status.code < 300)
            #expect(try await heap.queue(of: other) == [0, 1])
        }
    }

    @Test func `of two decisions at once one is outdated`() async throws {
        let served = try ServedRoutes.required
        let heap = try await Heap(served, count: 1)
        var moderators: [Caller] = []
        for _ in 0..<2 { moderators.append(try await Caller.register(served, role: .moderator)) }
        let statuses = await atOnce(
            moderators.map { moderator in
                {
                    [
                        try await moderator.send(
                            .post, "/v1/moderation/sightings/\(heap.ids[0])/decisions", headers: [.ifMatch: "\"1.x\""],
                            json: #"{"decision":"approve"}"#
                        ).status.code
                    ]
                }
            })
        #expect(statuses.flatMap(\.self).sorted() == [200, 412])
    }

    /// The results of commands that run at the same time; an empty one for a command that throws.
    private func atOnce<Value: Sendable>(_ commands: [@Sendable () async throws -> [Value]]) async -> [[Value]] {
        await withTaskGroup(of: [Value].self) { group in
            for command in commands { group.addTask { (try? await command()) ?? [] } }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }
}

extension ServedRoutes {
    /// The number of items that a moderator holds.
    fileprivate func claims(of moderator: Caller) async throws -> Int {
        let account = try #require(moderator.account)
        return try await database.withConnection(database.owner) { owner in
            try await owner.query(
                "select count(*) as held from vault.claims where moderator = \(account.uuid) and not decided"
            ).onlyRow().decode("held")
        }
    }
}
