import Domain
import HTTPTypes
import Hummingbird
import JSON
import Service
package import Web

/// Statistics of moderation, for moderators and for anyone.
package struct ModerationStatisticsRoutes: RouteGroup {
    let queue: ModerationQueue
    let report: ModerationReport
    let log: LogState

    package var routes: [Route] {
        [
            Route(.get, "/v1/moderation/stats", .moderators, reads: [.query, .position], statistics),
            Route(
                .get, "/v1/stats/moderation", .anyone, reads: [.query, .tag], problems: [.unavailable, .modelBehind],
                publicStatistics),
        ]
    }

    private func statistics(_ request: Request, _ context: APIContext) async throws -> Response {
        try QueryReader.expectNone(in: request)
        let moderator = try context.signedIn().accountID
        let statistics = try await queue.statistics(try await Asked(request.headers, of: moderator, log))
        return .json(JSONWriter.bytes(of: statistics))
    }

    private func publicStatistics(_ request: Request, _ context: APIContext) async throws -> Response {
        try QueryReader.expectNone(in: request)
        return try .publicRepresentation(JSONWriter.bytes(of: try await report.statistics()), for: request)
    }
}
