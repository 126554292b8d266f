import AsyncHTTPClient
import Domain
import EventLog
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import Logging
import NIOConcurrencyHelpers
import NIOCore
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
    private func serve(
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

    private func sleepAndAdvance(_ clock: ManualClock, _ steps: Int) async {
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

    /// The ways in which a session ends.
    enum Ending: CaseIterable {
        case logOut, password, sessionDeleted, expiry, keyDeleted, keyExpired, accountGone
    }

    @Test(arguments: Ending.allCases)
    func `a stream ends within five seconds of its session`(ending: Ending) async throws {
        let served = try ServedRoutes.required
        let scene = try await NotifiedScene(served)
        let other = try await scene.birder.another()
        let clock = ManualClock()
        #expect(EventStreams.checkPeriod < .seconds(4))
        try await serve(served, clock: clock) { port in
            let isKey = [.keyDeleted, .keyExpired].contains(ending)
            let key = isKey ? try await scene.birder.script(#"["read"]"#) : nil
            var reader = try await EventReader(port, key?.caller ?? scene.birder)
            var kept = try await EventReader(port, other)
            #expect(reader.response.status == .ok && kept.response.status == .ok)
            await sleepAndAdvance(clock, 3)
            #expect(served.cases.notifications.streams.count == 2)
            try await end(ending, scene, other, key: key?.id)
            await sleepAndAdvance(clock, 3)
            #expect(await reader.ends())
            if ending != .accountGone {
                let sighting = try #require(try await other.submit().text("id"))
                try await scene.approve(sighting)
                #expect(try await kept.events(1).first?.hasSuffix("approved") == true)
            } else {
                #expect(await kept.ends())
            }
        }
    }

    private func end(_ ending: Ending, _ scene: NotifiedScene, _ other: Caller, key: String?) async throws {
        let birder = scene.birder
        func database(_ statement: SQL) async throws {
            try await scene.served.database.withConnection(scene.served.database.owner) {
                _ = try await $0.query(statement)
            }
        }
        switch ending {
        case .logOut: _ = try await birder.send(.delete, "/v1/sessions/current")
        case .password:
            let body = #"{"oldPassword":"\#(Caller.password)","newPassword":"nine owls in a barn"}"#
            #expect(try await other.send(.put, "/v1/me/password", json: body).status == .noContent)
        case .sessionDeleted:
            let sessions = try await other.send(.get, "/v1/me/sessions")
            for session in try sessions["items"]?.items ?? [] where session["current"] == .boolean(false) {
                _ = try await other.send(.delete, "/v1/me/sessions/\(session["id"]?.string ?? "")")
            }
        case .expiry:
            let session = try await scene.served.cases.accounts.callers.verify(birder.token ?? "").sessionID
            try await database("update vault.sessions set expires_at = now() where id = \(session)")
        case .keyDeleted: _ = try await birder.send(.delete, "/v1/me/keys/\(key ?? "")")
        case .keyExpired:
            try await database(
                "update vault.api_keys set expires_at = now() where account = \(try scene.account.uuid)")
        case .accountGone:
            let account = try scene.account.uuid
            let position: Int64 = try await scene.served.database.withConnection(scene.served.database.owner) {
                try await $0.query("select position from log.events where stream = \(account) and version = 1")
                    .onlyRow().decode("position")
            }
            _ = try await scene.served.database.withConnection(scene.served.database.owner) {
                try await Redaction.redact(position: position, reason: "personal-data", $0)
            }
            try await scene.served.followToHead()
        }
    }

    @Test func `an account has five streams, and one that ends or whose client goes makes room`() async throws {
        let served = try ServedRoutes.required
        let scene = try await NotifiedScene(served)
        let other = try await Caller.register(served)
        try await serve(served) { port in
            var readers: [EventReader] = []
            for _ in 0..<4 { readers.append(try await EventReader(port, scene.birder)) }
            try await HTTPClient(eventLoopGroupProvider: .singleton).closing { client in
                var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)/v1/me/events")
                request.headers = ["Authorization": "Bearer \(scene.birder.token ?? "")"]
                let fifth = try await client.execute(request, timeout: .minutes(3))
                #expect(fifth.status == .ok)
                let sixth = try await EventReader.open(port, scene.birder)
                #expect(sixth.status == .tooManyRequests && sixth.headers["Retry-After"] == ["60"])
                let problem = String(buffer: try await sixth.body.collect(upTo: 4096))
                #expect(problem.contains("/problems/too-many-streams"))
                readers.append(try await EventReader(port, other))
                #expect(readers.last?.response.status == .ok)
            }
            // The client of the fifth has closed its connection.
            try await until("the fifth stream stays") { served.cases.notifications.streams.count == 5 }
            let again = try await EventReader(port, scene.birder)
            #expect(again.response.status == .ok)
            _ = readers
        }
        #expect(served.cases.notifications.streams.count == 0)
    }

    @Test func `a process has so many streams`() throws {
        let cases = try ServedRoutes.required.cases
        var limits = EventStreams.Limits()
        limits.inProcess = 2
        let streams = EventStreams(
            cases.notifications.service.filling, log: cases.ground.log, limits: limits, now: { Date() },
            logger: Logger(label: "streams"))
        func open() throws -> EventStream {
            try streams.open(for: Principal(accountID: AccountID(UUID()), sessionID: UUID(), roles: []))
        }
        let first = try open()
        var second: EventStream? = try open()
        #expect(throws: EventStreams.Rejection.tooManyInProcess) { try open() }
        #expect(EventStreams.Rejection.tooManyInProcess.problem.type == .unavailable)
        #expect(second != nil && streams.count == 2)
        second = nil
        let third = try open()
        #expect(streams.count == 2)
        withExtendedLifetime((first, third)) {}
    }

    @Test func `a client that does not read is sent no more, and disconnected`() async throws {
        let served = try ServedRoutes.required
        let scene = try await NotifiedScene(served)
        let account = try scene.account.uuid
        _ = try await scene.notifications()
        // Far more than the buffers of both ends.
        try await served.database.withConnection(served.database.owner) { owner in
            _ = try await owner.query(
                """
                insert into vault.inbox (account, number, kind, region, monday, target, at)
                select \(account), n, 'target-lost', repeat('r', 30000), '2026-01-05', gen_random_uuid(), now()
                  from generate_series(2, 1000) n
                """)
        }
        let limits = ConnectionLimits(stall: .milliseconds(200))
        let groups = ServedRoutes.groups(served.cases)
        try await RunningAPI.serve(groups, limits: limits, verifier: served.cases.accounts.callers) { api in
            try await api.connect().executeThenClose { _, outbound in
                let head = "GET /v1/me/events?after=0 HTTP/1.1\r\nHost: a\r\n"
                let token = "Authorization: Bearer \(scene.birder.token ?? "")\r\n\r\n"
                try await outbound.write(ByteBuffer(string: head + token))
                // The line of the log stays, even if the stream ends before this test looks.
                try await until("no stream is opened") {
                    api.log.all.contains { $0.message == "request" && $0.metadata["status"] == "200" }
                }
                try await until("the client is not disconnected") { served.cases.notifications.streams.count == 0 }
            }
        }
    }

    @Test func `a stop ends open streams, and waits for none`() async throws {
        let served = try ServedRoutes.required
        let scene = try await NotifiedScene(served)
        let open = NIOLockedValueBox<[HTTPClientResponse]>([])
        try await serve(served) { port in
            for _ in 0..<3 {
                let response = try await EventReader.open(port, scene.birder)
                open.withLockedValue { $0.append(response) }
            }
        }
        for response in open.withLockedValue(\.self) {
            var reader = EventReader(response)
            #expect(await reader.ends())
        }
    }

    @Test func `HEAD opens no stream, and a chunked body does no harm`() async throws {
        let served = try ServedRoutes.required
        let scene = try await NotifiedScene(served)
        try await serve(served) { port in
            for method in ["HEAD", "GET"] {
                let api = RunningAPI(port: port, log: LogCapture())
                let head = """
                    \(method) /v1/me/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(scene.birder.token ?? "")\r
                    Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n
                    """
                try await api.connect().executeThenClose { inbound, outbound in
                    try await outbound.write(ByteBuffer(string: head))
                    var iterator = inbound.makeAsyncIterator()
                    let answer = try await iterator.next().map { String(buffer: $0) } ?? ""
                    #expect(answer.hasPrefix("HTTP/1.1 200") && answer.contains("text/event-stream"))
                    if method == "HEAD" { #expect(served.cases.notifications.streams.count == 0) }
                }
            }
        }
    }
}

extension HTTPClient {
    /// Runs something, then closes all connections.
    fileprivate func closing(_ body: (HTTPClient) async throws -> Void) async throws {
        let result: Result<Void, any Error>
        do { result = .success(try await body(self)) } catch { result = .failure(error) }
        try? await shutdown()
        try result.get()
    }
}
