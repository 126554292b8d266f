import HTTPTypes
import Hummingbird
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import Web

/// Bytes that clients may send, over a real connection.
@Suite(.hangs)
struct WireTests {
    private static let end = "Connection: close\r\n\r\n"

    @Test(arguments: [
        ("GET /healthz HTTP/1.1\r\nHost: a\r\n", "200"), ("GET /healthz HTTP/1.0\r\n", "200"),
        ("GET /healthz HTTP/1.1\r\n", "400"), ("GET /healthz HTTP/1.1\r\nHost:\r\n", "400"),
        ("GET /healthz HTTP/1.1\r\nHost: a\r\nHost: a\r\n", "400"), ("GET /healthz HTTP/1.1\r\nHost: a b\r\n", "400"),
        ("GET /healthz HTTP/1.1\r\nHost: a/b\r\n", "400"),
        ("GET /healthz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n", "501"),
        ("FOO /healthz HTTP/1.1\r\nHost: a\r\n", "501"), ("PROPFIND /healthz HTTP/1.1\r\nHost: a\r\n", "501"),
        ("GET /healthz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n", "400"),
        ("GET /healthz HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n", "400"),
        ("GET /healthz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n", "400"),
    ])
    func `methods, Host and Transfer-Encoding are as RFC 9110 and 9112 say`(head: String, status: String) async throws {
        try await RunningAPI.serve { api in
            let answer = try await api.exchange(head + Self.end)
            #expect(answer.split(separator: " ").dropFirst().first.map(String.init) == status, "\(answer)")
        }
    }

    @Test func `a rejected request is answered after those before it`() async throws {
        try await RunningAPI.serve { api in
            let answer = try await api.exchange("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\nGET /healthz HTTP/1.1\r\n\r\n")
            #expect(Self.statuses(answer) == ["200", "400"])
        }
    }

    @Test func `HEAD of a stream has no length, and the next response follows its head`() async throws {
        try await RunningAPI.serve([TrialRoutes(), StreamRoutes()]) { api in
            let head = "HEAD /v1/stream HTTP/1.1\r\nHost: a\r\n\r\n"
            let answer = try await api.exchange(head + head + "GET /healthz HTTP/1.1\r\nHost: a\r\n" + Self.end)
            #expect(Self.statuses(answer) == ["200", "200", "200"])
            let parts = answer.split(separator: "\r\n\r\n")
            #expect(parts.count >= 3 && parts[1].hasPrefix("HTTP/1.1 200") && parts[2].hasPrefix("HTTP/1.1 200"))
            #expect(!parts[0].lowercased().contains("content-length"))
            let whole = try await api.exchange("GET /v1/stream HTTP/1.1\r\nHost: a\r\n" + Self.end)
            #expect(whole.hasSuffix("\r\n\r\n3\r\nabc\r\n0\r\n\r\n"))
        }
    }

    private struct StreamRoutes: RouteGroup {
        var routes: [Route] {
            [
                Route(.get, "/v1/stream", .anyone) { _, _ in
                    Response(
                        status: .ok,
                        body: ResponseBody { writer in
                            try await writer.write(ByteBuffer(string: "abc"))
                            try await writer.finish(nil)
                        })
                }
            ]
        }
    }

    @Test func `an unknown method is answered after the requests before it`() async throws {
        try await RunningAPI.serve { api in
            let answer = try await api.exchange(
                "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\nFOO /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(Self.statuses(answer) == ["200", "501"])
        }
    }

    @Test func `of a rejected body 64 KiB are read, then the connection is closed`() async throws {
        try await RunningAPI.serve { api in
            let head = "POST /v1/trial HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\n\r\n"
            let connection = try await api.connect()
            let channel = connection.channel
            let (answer, sent) = try await connection.executeThenClose { inbound, outbound in
                try await outbound.write(ByteBuffer(string: head))
                var iterator = inbound.makeAsyncIterator()
                let answer = try await iterator.next().map { String(buffer: $0) } ?? ""
                var sent = 0
                // 64 MiB are far more than the buffers of both ends. The future of the channel, unlike `outbound`,
                // waits until the socket has taken the bytes.
                let chunk = ByteBuffer(repeating: 0x20, count: 65_536)
                do {
                    while sent < 64 << 20 {
                        try await channel.writeAndFlush(chunk).get()
                        sent += chunk.readableBytes
                    }
                } catch {}
                return (answer, sent)
            }
            #expect(answer.hasPrefix("HTTP/1.1 401") && answer.lowercased().contains("connection: close"))
            #expect(sent < 64 << 20)
        }
    }

    @Test(arguments: [(65_537, 0, 65_536), (66_000, 2_000, 64_000)])
    func `a rejected body just above 64 KiB ends the connection`(size: Int, early: Int, late: Int) async throws {
        try await RunningAPI.serve { api in
            let head = "POST /v1/trial HTTP/1.1\r\nHost: a\r\nContent-Length: \(size)\r\n\r\n"
            let (answer, rest) = try await api.connect().executeThenClose { inbound, outbound in
                try await outbound.write(ByteBuffer(string: head + String(repeating: " ", count: early)))
                var iterator = inbound.makeAsyncIterator()
                let answer = try await iterator.next().map { String(buffer: $0) } ?? ""
                try await outbound.write(ByteBuffer(repeating: 0x20, count: late))
                return (answer, try await iterator.next())
            }
            #expect(answer.hasPrefix("HTTP/1.1 401") && answer.lowercased().contains("connection: close"))
            #expect(rest == nil)
        }
    }

    @Test func `a rejected body of 64 KiB is read, and the next request answered`() async throws {
        try await RunningAPI.serve { api in
            let answer = try await api.exchange(
                "POST /v1/trial HTTP/1.1\r\nHost: a\r\nContent-Length: 65536\r\n\r\n",
                String(repeating: " ", count: 65_536), "GET /healthz HTTP/1.1\r\nHost: a\r\n" + Self.end)
            #expect(Self.statuses(answer) == ["401", "200"])
        }
    }

    @Test(arguments: ["", "Connection: keep-alive\r\n", "Connection: Keep-Alive\r\n"])
    func `HTTP 1.0 ends a connection with its response, unless it is asked to keep it`(header: String) async throws {
        try await RunningAPI.serve { api in
            let (first, second) = try await api.connect().executeThenClose { inbound, outbound in
                var iterator = inbound.makeAsyncIterator()
                try await outbound.write(ByteBuffer(string: "GET /healthz HTTP/1.0\r\n\(header)\r\n"))
                var first = ""
                while !first.contains("\r\n\r\n"), let more = try await iterator.next() {
                    first += String(buffer: more)
                }
                // The connection may be closed by now.
                try? await outbound.write(ByteBuffer(string: "GET /healthz HTTP/1.0\r\n\r\n"))
                var second = ""
                while let more = try await iterator.next() { second += String(buffer: more) }
                return (first, second)
            }
            #expect(first.lowercased().contains("connection: keep-alive") == !header.isEmpty)
            #expect(Self.statuses(first) == ["200"] && Self.statuses(second) == (header.isEmpty ? [] : ["200"]))
        }
    }

    private static func statuses(_ answer: String) -> [String] {
        answer.matches(of: /HTTP\/1\.1 (\d+)/).map { String($0.1) }
    }

    @Test func `a client that waits to be told to continue is told`() async throws {
        try await RunningAPI.serve { api in
            let body = #"{"confidence":3}"#
            let head = """
                POST /v1/trial HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer birder\r\nContent-Type: application/json\r
                Content-Length: \(body.utf8.count)\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n
                """
            let text = try await api.connect().executeThenClose { inbound, outbound in
                try await outbound.write(ByteBuffer(string: head))
                var iterator = inbound.makeAsyncIterator()
                var text = try await iterator.next().map { String(buffer: $0) } ?? ""
                #expect(text == "HTTP/1.1 100 Continue\r\n\r\n")
                try await outbound.write(ByteBuffer(string: body))
                while let more = try await iterator.next() { text += String(buffer: more) }
                return text
            }
            #expect(text.contains("HTTP/1.1 201"))
        }
    }

    @Test func `a client hears where to resume an upload before it has sent it`() async throws {
        try await RunningAPI.serve { api in
            let head = """
                POST /v1/trial/uploads HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer birder\r\nContent-Type: image/jpeg\r
                Content-Length: 3\r\nConnection: close\r\n\r\n
                """
            let text = try await api.connect().executeThenClose { inbound, outbound in
                try await outbound.write(ByteBuffer(string: head + "a"))
                var iterator = inbound.makeAsyncIterator()
                var text = try await iterator.next().map { String(buffer: $0) } ?? ""
                #expect(text.hasPrefix("HTTP/1.1 104 Upload Resumption Supported\r\n") && text.hasSuffix("\r\n\r\n"))
                #expect(text.contains("Location: /v1/trial/7\r\n") && text.contains("Interop-Version: 8\r\n"))
                try await outbound.write(ByteBuffer(string: "bc"))
                while let more = try await iterator.next() { text += String(buffer: more) }
                return text
            }
            #expect(Self.statuses(text) == ["104", "201"])
        }
    }

    @Test func `a body that does not arrive in time is an error, and ends the connection`() async throws {
        try await RunningAPI.serve(limits: ConnectionLimits(bodyDeadline: .milliseconds(100))) { api in
            let answer = try await api.exchange(
                """
                POST /v1/trial HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer birder\r\nContent-Type: application/json\r
                Content-Length: 16\r\n\r\n{
                """)
            #expect(answer.hasPrefix("HTTP/1.1 400") && answer.contains("did not arrive in time"), "\(answer)")
        }
    }

    @Test func `a client has so many connections, and when one ends there is room again`() async throws {
        try await RunningAPI.serve(limits: ConnectionLimits(perClient: 2)) { api in
            let request = ByteBuffer(string: "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
            try await api.connect().executeThenClose { inbound, outbound in
                try await outbound.write(request)
                var iterator = inbound.makeAsyncIterator()
                #expect(try await iterator.next() != nil)
                try await api.connect().executeThenClose { inbound, outbound in
                    try await outbound.write(request)
                    var iterator = inbound.makeAsyncIterator()
                    #expect(try await iterator.next() != nil)
                    // The connection may be closed before the request is written.
                    let third = try? await api.exchange("GET /healthz HTTP/1.1\r\nHost: a\r\n" + Self.end)
                    #expect(third ?? "" == "")
                }
                var answer = ""
                // The server learns of the end a moment after the client.
                try await until("there is no room") {
                    answer = (try? await api.exchange("GET /healthz HTTP/1.0\r\n" + Self.end)) ?? ""
                    return !answer.isEmpty
                }
                #expect(answer.hasPrefix("HTTP/1.1 200"))
            }
        }
    }

    /// Sends 256 MiB, if they are taken, and reports how much was when the connection ended.
    private struct Flood: RouteGroup {
        let ended = AsyncStream.makeStream(of: Int.self)

        var routes: [Route] {
            [
                Route(.get, "/v1/flood", .anyone) { _, _ in
                    Response(
                        status: .ok,
                        body: ResponseBody { writer in
                            var sent = 0
                            defer { ended.continuation.yield(sent) }
                            for _ in 0..<256 {
                                try await writer.write(ByteBuffer(repeating: 0x20, count: 1 << 20))
                                sent += 1 << 20
                            }
                            try await writer.finish(nil)
                        })
                }
            ]
        }
    }

    @Test func `a client that does not read is sent no more, and disconnected`() async throws {
        let flood = Flood()
        try await RunningAPI.serve([flood], limits: ConnectionLimits(stall: .milliseconds(200))) { api in
            try await api.connect().executeThenClose { _, outbound in
                try await outbound.write(ByteBuffer(string: "GET /v1/flood HTTP/1.1\r\nHost: a\r\n\r\n"))
                let sent = try #require(await flood.ended.stream.first { _ in true })
                #expect(sent < 64 << 20)
            }
        }
    }
}
