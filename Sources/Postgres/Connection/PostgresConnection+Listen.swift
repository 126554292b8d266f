/// Someone who wants to hear a channel.
struct Listener {
    let channel: String
    let continuation: NotificationContinuation
}

/// What is said on a channel, from the moment `listen` has returned. It ends, with an error, when the connection ends.
///
/// Notifications are hints, not data: of those a slow consumer has not taken, only the newest 1024 are kept.
package struct PostgresNotifications: AsyncSequence, Sendable {
    /// One notification.
    package typealias Element = PostgresNotification

    fileprivate let stream: AsyncThrowingStream<PostgresNotification, any Error>
    /// The connection listens to the channel as long as the sequence lives.
    fileprivate let connection: PostgresConnection

    /// Begins; to be called once.
    package func makeAsyncIterator() -> Iterator {
        Iterator(base: stream.makeAsyncIterator(), connection: connection)
    }

    /// Waits for one notification after the other.
    package struct Iterator: AsyncIteratorProtocol {
        fileprivate var base: AsyncThrowingStream<PostgresNotification, any Error>.Iterator
        fileprivate let connection: PostgresConnection

        /// The next notification; nil when the task is cancelled.
        package mutating func next() async throws -> PostgresNotification? {
            try await base.next()
        }
    }
}

extension PostgresConnection {
    /// Listens on a channel; nothing that is said after it has returned is missed.
    package nonisolated func listen(
        _ channel: String, file: String = #fileID, line: Int = #line
    ) async throws(PostgresError) -> PostgresNotifications {
        let (stream, continuation) = AsyncThrowingStream<PostgresNotification, any Error>.makeStream(
            bufferingPolicy: .bufferingNewest(1024))
        let id = mailbox.makeID()
        continuation.onTermination = { [weak self] _ in self?.post(.unlisten(id)) }
        post(.listen(channel: channel, id, continuation))
        do throws(PostgresError) {
            try await query("LISTEN \(identifier: channel)", file: file, line: line)
        } catch {
            continuation.finish()
            throw error
        }
        return PostgresNotifications(stream: stream, connection: self)
    }

    func deliver(_ notification: PostgresNotification) {
        for listener in listeners.values where listener.channel == notification.channel {
            listener.continuation.yield(notification)
        }
    }

    func removeListener(_ id: ListenerID) {
        guard
            let channel = listeners.removeValue(forKey: id)?.channel,
            !listeners.values.contains(where: { $0.channel == channel })
        else { return }
        let silence = PipelineCommand(
            id: mailbox.makeID(), work: .statement("UNLISTEN \(identifier: channel)"), caller: .here())
        mailbox.commandsStarted(1)
        machine.submit(silence)
    }
}

/// A notification that another session sent with NOTIFY.
package struct PostgresNotification: Sendable, Hashable {
    /// The channel.
    package let channel: String
    /// The payload, empty if there was none.
    package let payload: String
    /// Process id of the session that said it.
    package let backendPID: Int32
}
