import Hummingbird
import NIOCore
import TestSupport
import Testing

@testable import Web

/// A client that reads a response slowly loses its turn.
@Suite(.hangs) struct ReadingPaceTests {
    /// Sends 64 MiB at the pace of a sequence.
    private struct Slow: RouteGroup {
        let ended = AsyncStream.makeStream(of: Int.self)

        var routes: [Route] {
            [
                Route(.get, "/v1/slow", .anyone) { _, context in
                    Response(
                        status: .ok,
                        body: ResponseBody { writer in
                            var sent = 0
                            defer { ended.continuation.yield(sent) }
                            var pace = ReadingPace(.sequence, of: context.channel, grace: .milliseconds(300))
                            for _ in 0..<1024 {
                                try await pace.write(ByteBuffer(repeating: 0x20, count: 65_536), to: &writer)
                                sent += 65_536
                            }
                            try await writer.finish(nil)
                        })
                }
            ]
        }
    }

    private static let request = ByteBuffer(string: "GET /v1/slow HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")

    @Test func `a client that reads more slowly than it may is disconnected`() async throws {
        let slow = Slow()
        try await RunningAPI.serve([slow]) { api in
            try await api.connect().executeThenClose { inbound, outbound in
                try await outbound.write(Self.request)
                let reading = Task {
                    // Never long without reading, but far slower than 64 KiB a second beyond what the sockets hold.
                    var buffers = inbound.makeAsyncIterator()
                    while try await buffers.next() != nil { try await Task.sleep(for: .milliseconds(200)) }
                }
                let sent = try #require(await slow.ended.stream.first { _ in true })
                #expect(sent < 64 << 20)
                reading.cancel()
            }
        }
    }

    @Test func `one that reads fast gets all`() async throws {
        let slow = Slow()
        try await RunningAPI.serve([slow]) { api in
            var read = 0
            try await api.connect().executeThenClose { inbound, outbound in
                try await outbound.write(Self.request)
                for try await buffer in inbound { read += buffer.readableBytes }
            }
            #expect(read > 64 << 20)
        }
    }
}
