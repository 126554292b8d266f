internal import Domain
internal import HTTPTypes
internal import Hummingbird
package import Service

/// Where the log stands.
package struct LogRoutes: RouteGroup {
    private let log: LogState

    /// Answers from what this process knows of the log.
    package init(_ log: LogState) {
        self.log = log
    }

    /// Adds `/log`.
    package func addRoutes(to surfaces: RouteSurfaces) {
        surfaces.anyone.get("log") { _, _ in try await head() }
    }

    private func head() async throws -> Response {
        let current = try await log.current()
        var writer = JSONWriter()
        writer.object { writer in
            writer.field("position", current.position)
            writer.field("recordedAt", current.recordedAt.map { Instant($0) })
        }
        var headers: HTTPFields = [.cacheControl: CachePolicy.privateNoStore.rawValue]
        headers.tell(position: LogPosition(epoch: current.epoch, position: current.position))
        return .json(writer.bytes, headers: headers)
    }
}

extension LogState: LogFollowing {
    /// The head as the database has it now.
    package func head() async throws -> LogPosition {
        let current = try await current()
        return LogPosition(epoch: current.epoch, position: current.position)
    }

    /// Waits for a read model.
    package func hasReached(_ position: Int64, model: String, within patience: Duration) async throws -> Bool {
        await wait(for: position, model: model, atMost: patience)
    }
}
