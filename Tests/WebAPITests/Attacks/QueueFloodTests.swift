import EventLog
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Postgres
import ReadModels
import TestSupport
import Testing

@testable import Forms
@testable import Service
@testable import Web
@testable import WebAPI

/// One who fills queues: whatever a client sends at once, another one gets its turn.
@Suite(.hangs) struct QueueFloodTests {
    /// A pool that requests reach.
    enum Pool: CaseIterable {
        case maps, sequences, lists, downloads

        /// Requests of one client that run at once.
        var running: Int {
            switch self {
            case .maps, .lists: 2
            case .sequences, .downloads: 1
            }
        }

        func turns(_ cases: UseCases) throws -> FairTurns {
            switch self {
            case .maps: cases.records.reads.maps
            case .sequences: cases.records.reads.sequences
            case .lists: try #require(cases.sightings.lists.reads.turns)
            case .downloads: cases.ownData.turns.turns
            }
        }
    }

    private static let (attacker, other) = ("198.51.100.1", "203.0.113.5")
    private static let requests = 20

    /// The quota does not fill while the test runs.
    private static let quota = RateLimitPolicy(name: "client", quota: 100, window: .seconds(86_400))

    private static let settings = APISettings(
        accountLimits: .none, clientLimit: quota, credentialLimit: nil, recoveryLimit: nil)

    @Test(arguments: Pool.allCases)
    func `one who fills a queue delays another client by no more than a turn`(pool: Pool) async throws {
        try await ServedRoutes.run(settings: Self.settings) { served in
            let scene = try await Scene(served, pool)
            try await scene.expectAnswer(of: Self.other)
            let turns = try pool.turns(served.cases)
            // Turns that end when the test says so; statements that wait would delay others on their connections.
            let held = try await scene.takeTurns(of: Self.attacker)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<Self.requests {
                    group.addTask { _ = try await scene.send(by: number, from: Self.attacker) }
                }
                try await until("the attacker does not wait") { turns.waiting >= 2 }
                #expect(turns.running == pool.running)
                #expect(try await scene.send(by: Self.requests, from: Self.other) == 200)
                for turn in held { turn.end() }
                try await group.waitForAll()
            }
            guard pool == .maps || pool == .sequences else { return }
            // What the client's own requests caused has counted: all of them, and this one.
            #expect(try await scene.remaining(of: Self.attacker) == Self.quota.quota - Self.requests - 1)
        }
    }

    private struct Scene {
        let served: ServedRoutes
        let pool: Pool
        private let callers: [Caller]
        private let path: String

        init(_ served: ServedRoutes, _ pool: Pool) async throws {
            (self.served, self.pool) = (served, pool)
            let owner = try await Caller.register(served)
            let taxon = try #require(try await owner.submit().text("taxon.id"))
            try await served.followToHead()
            var callers: [Caller] = []
            switch pool {
            case .maps, .sequences:
                path = "/v1/taxa/\(taxon)/map"
                callers = Array(repeating: .anonymous(served), count: QueueFloodTests.requests + 1)
            case .lists:
                path = "/v1/me/species"
                callers = Array(repeating: owner, count: QueueFloodTests.requests + 1)
            case .downloads:
                path = "/v1/me/data?photos=no"
                for _ in 0...QueueFloodTests.requests { callers.append(try await .register(served)) }
            }
            self.callers = callers
            try await served.followToHead()
        }

        func send(by number: Int, from address: String) async throws -> Int {
            var headers: HTTPFields = [.forwardedFor: address]
            if pool == .sequences { headers[.accept] = FeatureSequence.contentType }
            return try await callers[number].send(.get, path, headers: headers).status.code
        }

        func expectAnswer(of address: String) async throws {
            #expect(try await send(by: 0, from: address) == 200)
        }

        /// What is left of a client's quota.
        func remaining(of address: String) async throws -> Int {
            let answer = try await Caller.anonymous(served).send(.get, "/v1/log", headers: [.forwardedFor: address])
            let state = try #require(answer.headers[.rateLimit]?.firstMatch(of: /r=([0-9]+)/))
            return try #require(Int(state.1))
        }

        /// As many turns as a client may have at once.
        func takeTurns(of client: String) async throws -> [FairTurns.Turn] {
            var held: [FairTurns.Turn] = []
            for _ in 0..<pool.running { held.append(try await pool.turns(served.cases).begin(by: client)) }
            return held
        }
    }

    @Test func `clients are told apart by the address that a trusted proxy gives, in every route`() async throws {
        let fixture = APIFixture()
        try await fixture.test([ClientRoute()]) { client in
            for (header, name) in [("192.0.2.7", "192.0.2.7"), ("198.51.100.9, 2001:db8::7", "2001:db8:0:0")] {
                let answer = try await client.execute(
                    uri: "/v1/client", method: .get, headers: [.forwardedFor: header])
                #expect(String(buffer: answer.body) == "\"\(name)\"")
            }
        }
    }
}

/// Answers with the client on behalf of which it works.
private struct ClientRoute: RouteGroup {
    var routes: [Route] {
        [
            Route(.get, "/v1/client", .anyone) { _, _ in
                .json(Array("\"\(TurnClient.address ?? "")\"".utf8))
            }
        ]
    }
}
