import EventLog
import TestSupport

/// Reads the log as it grows, and records what it sees. After an error it resumes where it was.
struct FeedReader: Sendable {
    private let connections: Connections
    private let start: Int64
    private let pageSize: Int
    private let recorder: Recorder

    init(_ connections: Connections, after start: Int64, pageSize: Int, recorder: Recorder) {
        self.connections = connections
        self.start = start
        self.pageSize = pageSize
        self.recorder = recorder
    }

    var name: String { "from \(start + 1) by \(pageSize)" }

    /// Reads until cancelled.
    func run() async {
        recorder.began(name, after: start)
        var position = start
        while !Task.isCancelled {
            let feed = LogFeed(
                LogReader(connections.pool), after: position, head: connections.head, pageSize: pageSize,
                pollInterval: .milliseconds(50))
            do {
                for try await event in feed {
                    let seen = History.Reading.Seen(
                        position: event.position, stream: event.stream, version: event.version)
                    recorder.saw(seen, by: name)
                    position = event.position
                }
            } catch let hole as LogHole {
                return recorder.complain("reader \(name): \(hole)")
            } catch {
                try? await Task.sleep(for: .milliseconds(50))
            }
        }
    }
}
