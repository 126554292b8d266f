import Domain
import HTTPTypes
import Hummingbird
import JSON
import Service

/// The head of the log.
package struct LogRoutes: RouteGroup {
    let log: LogState

    package var routes: [Route] {
        [
            Route(.get, "/v1/log", .anyone, reads: [.query], problems: [.unavailable]) { request, _ in
                try await head(request)
            }
        ]
    }

    private func head(_ request: Request) async throws -> Response {
        try QueryReader.expectNone(in: request)
        let current = try await log.current()
        let view = LogHead(position: current.position, recordedAt: current.recordedAt.map { Instant($0) })
        var headers: HTTPFields = [.cacheControl: CachePolicy.privateNoStore.rawValue]
        headers.tell(position: LogPosition(epoch: current.epoch, position: current.position))
        return .json(JSONWriter.bytes(of: view), headers: headers)
    }
}

/// The head of the log.
struct LogHead: JSONRepresentable {
    /// The position of the last event, 0 before the first.
    let position: Int64
    /// When it was recorded; nil before the first.
    let recordedAt: Instant?

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("position", position)
            writer.field("recordedAt", recordedAt)
        }
    }
}

extension LogState: LogFollowing {
    /// The head as the database has it now.
    package func head() async throws -> LogPosition {
        let current = try await current()
        return LogPosition(epoch: current.epoch, position: current.position)
    }

    /// Whether a read model has not yet come as far as the log was when this process started.
    package func isBuilding(_ model: String) -> Bool {
        position(of: model) < startPosition
    }

    /// Waits for a read model.
    package func hasReached(_ position: Int64, model: String, within patience: Duration) async throws -> Bool {
        await wait(for: position, model: model, atMost: patience)
    }
}
