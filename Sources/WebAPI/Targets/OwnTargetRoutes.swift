import Domain
import HTTPTypes
import Hummingbird
import JSON
import Service
package import Web

/// A birder's targets of the week, and the progress over the weeks.
package struct OwnTargetRoutes: RouteGroup {
    let targets: OwnTargets
    let log: LogState

    package var routes: [Route] {
        [
            Route(
                .get, "/v1/me/targets", .signedIn, reads: [.query, .position], problems: [.gone, .modelBehind], week),
            Route(
                .get, "/v1/me/progress", .signedIn, reads: [.query, .position], problems: [.gone, .modelBehind],
                progress),
        ]
    }

    private func week(_ request: Request, _ context: APIContext) async throws -> Response {
        try QueryReader.expectNone(in: request)
        let account = try context.signedIn().accountID
        let week = try await targets.week(of: account, try await Asked(request.headers, of: account, log))
        return .json(JSONWriter.bytes(of: week), headers: try HTTPFields(privateAt: week.position, of: log))
    }

    private func progress(_ request: Request, _ context: APIContext) async throws -> Response {
        try QueryReader.expectNone(in: request)
        let account = try context.signedIn().accountID
        let progress = try await targets.progress(of: account, try await Asked(request.headers, of: account, log))
        let headers = try HTTPFields(privateAt: progress.week.position, of: log)
        return .json(JSONWriter.bytes(of: progress), headers: headers)
    }
}
