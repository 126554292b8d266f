import Domain
import HTTPTypes
import Hummingbird
package import JSON
package import ReadModels
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
                .get, "/v1/stats/moderation", .anyone, reads: [.query, .tag], problems: [.unavailable], publicStatistics
            ),
        ]
    }

    private func statistics(_ request: Request, _ context: APIContext) async throws -> Response {
        try QueryReader.expectNone(in: request)
        let moderator = try context.signedIn().accountID
        for model in ModerationQueue.statisticsModels {
            try await ReadYourWrites(log).wait(request.headers, model: model, account: moderator)
        }
        return .json(
            JSONWriter.bytes(of: try await queue.statistics()))
    }

    private func publicStatistics(_ request: Request, _ context: APIContext) async throws -> Response {
        try QueryReader.expectNone(in: request)
        return try .publicRepresentation(JSONWriter.bytes(of: try await report.statistics()), for: request)
    }
}

extension ModerationStatistics: JSONRepresentable {
    /// Writes the waiting items, and the decisions by week and by moderator.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("waiting", waiting)
            writer.field("weeks", weeks)
            writer.field("moderators", moderators)
        }
    }
}

extension ModerationStatistics.Waiting: JSONRepresentable {
    /// Writes the numbers of waiting items.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("photos", photos)
            writer.field("sightings", sightings)
            writer.field("secondOpinions", secondOpinions)
            writer.field("oldest", oldest)
        }
    }
}

extension ModerationStatistics.Week: JSONRepresentable {
    /// Writes the decisions of a week.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("week", week)
            writer.field("decisions", decisions)
            writer.field("medianSeconds", median)
            writer.field("p95Seconds", p95)
        }
    }
}

extension ModerationStatistics.Decider: JSONRepresentable {
    /// Writes the decisions of a moderator.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("moderatorId", moderator)
            writer.field("decisions", decisions)
            writer.field("overturned", overturned)
        }
    }
}

extension PublicModerationStatistics: JSONRepresentable {
    /// Writes the decisions by week, and those of all moderators.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("weeks", weeks)
            writer.field("total", total)
        }
    }
}

extension PublicModerationStatistics.Total: JSONRepresentable {
    /// Writes the decisions of all moderators.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("moderators", moderators)
            writer.field("decisions", decisions)
            writer.field("overturned", overturned)
        }
    }
}
