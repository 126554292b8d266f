import AsyncHTTPClient
import Domain
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOHTTP1
import Postgres
import TestSupport
import Testing

@testable import Service
@testable import Web
@testable import WebAPI

/// Streams of events over real connections. The tests share routes, whose watcher one of them runs at a time.
@Suite(.routes, .serialized, .hangs)
struct EventStreamTests {
    /// Serves on a port, with the watcher.
    func serve(
        _ served: ServedRoutes, clock: any Clock<Duration> = ContinuousClock(),
        _ body: @Sendable (Int) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await served.cases.notifications.streams.run(clock: clock) }
            defer { group.cancelAll() }
            let groups = ServedRoutes.groups(served.cases)
            try await RunningAPI.serve(groups, verifier: served.cases.accounts.callers) { api in
                try await body(api.port)
            }
        }
    }

    func sleepAndAdvance(_ clock: ManualClock, _ steps: Int) async {
        for _ in 0..<steps {
            // The heartbeats and the checks.
            await clock.sleepers(2)
            clock.advance(by: .seconds(1))
        }
        await clock.sleepers(2)
    }

    @Test func `what a moderator does arrives as it is in the list`() async throws {
        let served = try ServedRoutes.required
        let scene = try await NotifiedScene(served)
        let sighting = try #require(try await scene.birder.submit().text("id"))
        _ = try await scene.notifications()
        try await serve(served) { port in
            var reader = try await EventReader(port, scene.birder)
            #expect(reader.response.status == .ok)
            #expect(reader.response.headers["Content-Type"] == ["text/event-stream"])
            #expect(reader.response.headers["Cache-Control"] == ["private, no-store"])
            #expect(reader.response.headers["X-Accel-Buffering"] == ["no"])
            let retry = try #require(try await reader.block()?["retry"].flatMap { Int($0) })
            #expect((2_000...5_000).contains(retry))
            try await scene.decide(sighting, #"{"decision":"reject","reasons":["wrong-date"],"note":"a\nline"}"#)
            let event = try #require(try await reader.event())
            #expect(event["id"] == "2" && event["event"] == "rejected")
            let item = try #require(try await scene.notifications().last)
            #expect(try JSONValue(parsing: Array((event["data"] ?? "").utf8)) == item)
            #expect(item["note"]?.string == "a\nline")
        }
    }

    @Test func `targets and captures arrive, of one's own region and findings`() async throws {
        let served = try ServedRoutes.required
        let scene = try await NotifiedScene(served)
        let other = try await NotifiedScene(served)
        try await serve(served) { port in
            var reader = try await EventReader(port, scene.birder, "?after=0")
            #expect(try await reader.events(1) == ["1 targets-chosen"])
            let target = try #require(try await scene.targets().first)
            // Others' findings wake no stream of the birder.
            _ = try await other.find(target.taxon)
            let finding = try await scene.find(target.taxon)
            #expect(try await reader.events(1) == ["2 target-sent"])
            try await scene.approve(finding)
            #expect(try await reader.events(1) == ["3 approved"])
            try await scene.verify()
            let captured = try #require(try await reader.event())
            let data = try JSONValue(parsing: Array((captured["data"] ?? "").utf8))
            #expect(captured["id"] == "4" && captured["event"] == "target-captured")
            #expect(data["targetId"]?.string == target.id && data["sightingId"]?.string == finding)
            #expect(data["region"]?.string == NotifiedScene.region && data["photoId"] == .null)
            let withdrawn = try await scene.birder.send(
                .delete, "/v1/me/findings/\(finding)", headers: [.ifMatch: "*"])
            #expect(withdrawn.status == .noContent)
            #expect(try await reader.events(1) == ["5 target-lost"])
        }
        #expect(
            try await scene.kinds() == [
                "1 targets-chosen", "2 target-sent", "3 approved", "4 target-captured", "5 target-lost",
            ])
    }

    @Test func `a client that comes again is sent what it missed, then what comes`() async throws {
        let served = try ServedRoutes.required
        let scene = try await NotifiedScene(served)
        var sightings: [String] = []
        for _ in 0..<4 { sightings.append(try #require(try await scene.birder.submit().text("id"))) }
        let next = sightings[2]
        try await scene.approve(sightings[0])
        #expect(try await scene.kinds() == ["1 approved", "2 targets-chosen"])
        try await scene.approve(sightings[1])
        try await served.followToHead()
        try await serve(served) { port in
            var resumed = try await EventReader(port, scene.birder, "?after=0", headers: ["Last-Event-ID": "1"])
            var whole = try await EventReader(port, scene.birder, "?after=0")
            let fresh = try await EventReader(port, scene.birder)
            // Numbers that the service never gave.
            let ahead = try await EventReader(port, scene.birder, headers: ["Last-Event-ID": "2000000"])
            #expect(try await resumed.events(2) == ["2 targets-chosen", "3 approved"])
            #expect(try await whole.events(3) == ["1 approved", "2 targets-chosen", "3 approved"])
            try await scene.approve(next)
            for reader in [resumed, whole, fresh, ahead] {
                var reader = reader
                #expect(try await reader.events(1) == ["4 approved"])
            }
            for (query, headers) in [
                ("?after=-1", [:]), ("?after=x", [:]), ("?until=1", [:]), ("", ["Last-Event-ID": "x"]),
            ] as [(String, [String: String])] {
                let wrong = try await EventReader(port, scene.birder, query, headers: headers)
                #expect(wrong.response.status == .badRequest, "\(query) \(headers)")
            }
        }
    }

    @Test func `what another process has filled arrives with the next check`() async throws {
        let served = try ServedRoutes.required
        let scene = try await NotifiedScene(served)
        let clock = ManualClock()
        try await serve(served, clock: clock) { port in
            var reader = try await EventReader(port, scene.birder, "?after=1")
            try await served.database.withConnection(served.database.owner) { owner in
                _ = try await owner.query(
                    """
                    insert into vault.inbox (account, number, kind, region, monday, at)
                    values (\(try scene.account.uuid), 2, 'targets-chosen', 'hawaii', '2026-01-05', now())
                    """)
            }
            await sleepAndAdvance(clock, 3)
            #expect(try await reader.events(1) == ["2 targets-chosen"])
        }
    }

    @Test func `heartbeats come every twenty seconds, and nothing else while nothing happens`() async throws {
        let served = try ServedRoutes.required
        let scene = try await NotifiedScene(served)
        let clock = ManualClock()
        try await serve(served, clock: clock) { port in
            var reader = try await EventReader(port, scene.birder)
            #expect(try await reader.block()?["retry"] != nil)
            await sleepAndAdvance(clock, 20)
            #expect(try await reader.block() == ["": ""])
            await sleepAndAdvance(clock, 20)
            #expect(try await reader.block() == ["": ""])
            served.cases.notifications.streams.end(of: try scene.account)
            #expect(try await reader.block() == nil)
        }
    }
}
