import Domain
import Glibc
import Hummingbird
import JSON
import NIOCore
import Service
import ServiceLifecycle
import Web

/// The body of a stream of notifications.
/// - Source: the HTML standard, section 9.2.
struct EventStreamBody: Sendable {
    /// Notifications read at once.
    private static let page = 100
    /// Milliseconds after which a client connects again; at random, so that not all come at once after a restart.
    private static let retry = 2_000...5_000

    let stream: EventStream
    let notifications: NotificationService
    let account: AccountID
    /// The number of the last notification that the client has.
    let last: Int
    let channel: any Channel

    /// Writes until the stream ends, the client goes or the service stops.
    /// - Throws: what writing throws.
    func write(to writer: inout any ResponseBodyWriter) async throws {
        let end = stream.ending
        channel.closeFuture.whenComplete { _ in end() }
        channel.expectLongResponse(true)
        defer { channel.expectLongResponse(false) }
        try await withGracefulShutdownHandler {
            try await writer.write(ByteBuffer(string: "retry: \(Int.random(in: Self.retry))\n\n"))
            try await writeEvents(to: &writer)
            try await writer.finish(nil)
        } onGracefulShutdown: {
            end()
        }
    }

    private func writeEvents(to writer: inout any ResponseBodyWriter) async throws {
        var last = last
        while true {
            switch await stream.next(after: last) {
            case .end: return
            case .heartbeat: try await writer.write(ByteBuffer(string: ":\n\n"))
            case .news:
                // The client connects again when they could not be read.
                guard let page = try? await page(after: last), let newest = page.last?.number else { return }
                last = newest
                try await writer.write(Self.events(page))
            }
        }
    }

    private func page(after number: Int) async throws -> [AccountNotification] {
        try await inSeparateTask { [notifications, account] in
            try await notifications.list(of: account, after: number, limit: Self.page)
        }
    }

    private static func events(_ page: [AccountNotification]) -> ByteBuffer {
        var buffer = ByteBuffer()
        for notification in page {
            buffer.writeString("id: \(notification.number)\nevent: \(notification.kind)\ndata: ")
            // JSON has no line breaks but within strings, where they are escaped.
            buffer.writeBytes(JSONWriter.bytes(of: notification))
            buffer.writeString("\n\n")
        }
        return buffer
    }
}

extension Channel {
    /// Milliseconds for which what was sent may remain unacknowledged.
    private static var unacknowledgedTimeout: Int { 60_000 }

    /// Notices at once that a client has closed the connection, and in time that it has vanished. A client that only
    /// waits for a response may close its side before; one that is sent events does not.
    fileprivate func expectLongResponse(_ isLong: Bool) {
        let timeout = ChannelOptions.Types.SocketOption(
            level: .tcp, name: NIOBSDSocket.Option(rawValue: TCP_USER_TIMEOUT))
        setOption(timeout, value: isLong ? Self.unacknowledgedTimeout : 0).whenFailure { _ in }
        setOption(.allowRemoteHalfClosure, value: !isLong).whenFailure { _ in }
    }
}
