import Domain
import Forms
import HTTPTypes
import Hummingbird
import JSON
import Service
package import Web

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
        var headers: HTTPFields = [:]
        headers[.logPosition] = try log.sealed(current.position, epoch: current.epoch)
        let view = LogHead(recordedOn: log.lastDay)
        return .json(JSONWriter.bytes(of: view), headers: headers)
    }
}

/// The head of the log.
struct LogHead: JSONRepresentable {
    /// The last UTC day that is over by the clock, whether or not anything was recorded on it.
    let recordedOn: CivilDate

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("recordedOn", recordedOn)
        }
    }
}
