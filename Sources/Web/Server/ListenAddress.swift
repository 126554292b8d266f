import Glibc
import NIOCore
import NIOPosix

/// An address to listen on.
package struct ListenAddress: Hashable, Sendable {
    package let host: String
    /// 0 for any free one.
    package let port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Checks that it can be listened on, by listening for a moment. No connection is accepted: a client that connects
    /// in that moment is disconnected, rather than kept without an answer for as long as the process lives.
    /// - Throws: ``ListenError``.
    package func expectFree() async throws {
        do {
            let bootstrap = ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .serverChannelOption(.autoRead, value: false)
            try await bootstrap.bind(host: host, port: port).get().close()
        } catch {
            throw ListenError(self, error)
        }
    }
}

/// An address that cannot be listened on, such as one whose port is in use.
package struct ListenError: Error, CustomStringConvertible {
    package let description: String

    init(_ address: ListenAddress, _ error: any Error) {
        let isTaken = (error as? IOError)?.errnoCode == EADDRINUSE
        let reason = isTaken ? "it is in use" : "\(error)"
        description = "cannot listen on port \(address.port) of \(address.host): \(reason)"
    }
}
