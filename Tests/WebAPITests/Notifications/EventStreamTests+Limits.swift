import AsyncHTTPClient
import Domain
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import Postgres
import TestSupport
import Testing

@testable import Service
@testable import Web
@testable import WebAPI

/// How many streams of events there may be, and how much each may hold.
extension EventStreamTests {
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
