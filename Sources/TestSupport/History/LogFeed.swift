package import EventLog

/// All events from a position on, in order: the stored ones by page, then live as they are committed.
///
/// Ends only with an error or the task's cancellation. In-process commits are noticed at once; those of other
/// processes at the latest after `pollInterval`.
package struct LogFeed: AsyncSequence, Sendable {
    private let reader: LogReader
    private let head: HeadSignal
    private let start: Int64
    private let pageSize: Int
    private let pollInterval: Duration

    /// - Parameters:
    ///   - start: the first event given is the one after it.
    ///   - pageSize: events read at a time.
    package init(
        _ reader: LogReader, after start: Int64, head: HeadSignal, pageSize: Int = 1_000,
        pollInterval: Duration = .seconds(1)
    ) {
        self.reader = reader
        self.head = head
        self.start = start
        self.pageSize = pageSize
        self.pollInterval = pollInterval
    }

    package func makeAsyncIterator() -> Iterator {
        Iterator(feed: self, position: start)
    }

    /// Walks the log page by page, and waits at its end.
    package struct Iterator: AsyncIteratorProtocol {
        let feed: LogFeed
        var position: Int64
        var page: ArraySlice<RecordedEvent> = []

        /// - Throws: `PostgresError`, ``LogHole``, `CancellationError`.
        package mutating func next() async throws -> RecordedEvent? {
            while page.isEmpty {
                try Task.checkCancellation()
                let announced = feed.head.position
                page = try await feed.reader.page(after: position, limit: feed.pageSize)[...]
                if page.isEmpty {
                    feed.head.correct(announced, to: position)
                    await feed.head.wait(beyond: position, atMost: feed.pollInterval)
                }
            }
            let event = page.removeFirst()
            position = event.position
            return event
        }
    }
}
