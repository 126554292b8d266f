import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import Web

@Suite(.hangs)
struct ListenAddressTests {
    @Test func `a client that connects while an address is checked is disconnected, not kept waiting`() async throws {
        let address = try await freeAddress()
        let connections = NIOLockedValueBox<[any Channel]>([])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    while !Task.isCancelled {
                        let client = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                        guard let channel = try? await client.connect(host: address.host, port: address.port).get()
                        else { continue }
                        connections.withLockedValue { $0.append(channel) }
                    }
                }
            }
            while connections.withLockedValue({ $0.count }) < 20 { try await address.expectFree() }
            group.cancelAll()
        }
        #expect(try await kept(connections.withLockedValue(\.self)) == 0)
    }

    /// The number of connections that the other side has not closed after two minutes, and so never closes. Each sends
    /// a byte: the kernel may leave a connection half open if the socket closes during its handshake, and resets it
    /// only then.
    private func kept(_ connections: [any Channel]) async throws -> Int {
        let count = NIOLockedValueBox(0)
        let checks = connections.map { connection in
            connection.writeAndFlush(ByteBuffer(string: "G"), promise: nil)
            return connection.eventLoop.scheduleTask(in: .minutes(2)) {
                count.withLockedValue { $0 += 1 }
                connection.close(promise: nil)
            }
        }
        for (connection, check) in zip(connections, checks) {
            try await connection.closeFuture.get()
            check.cancel()
        }
        return count.withLockedValue(\.self)
    }

    @Test func `an address in use is not free`() async throws {
        let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0).get()
        let address = ListenAddress(host: "127.0.0.1", port: try #require(server.localAddress?.port))
        await #expect(throws: ListenError.self) { try await address.expectFree() }
        try await server.close()
    }

    /// Below the ports from which the system takes those of clients: a client could otherwise connect to itself.
    private func freeAddress() async throws -> ListenAddress {
        for _ in 0..<100 {
            // A host of its own: another process may look for a free port, too.
            let host = "127.\(Int.random(in: 1...254)).\(Int.random(in: 1...254)).\(Int.random(in: 1...254))"
            let address = ListenAddress(host: host, port: .random(in: 20_000..<30_000))
            if (try? await address.expectFree()) != nil { return address }
        }
        throw ListenError(ListenAddress(host: "127.0.0.1", port: 0), ChannelError.connectPending)
    }
}
