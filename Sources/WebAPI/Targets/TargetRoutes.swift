import Domain
import HTTPTypes
import Hummingbird
import JSON
import ReadModels
import Service
package import Web

/// The weekly targets of the regions, for anyone.
package struct TargetRoutes: RouteGroup {
    let targets: TargetReader
    let log: LogState

    package var routes: [Route] {
        let inputs: Set<RouteInput> = [.query, .position, .tag]
        return [
            Route(.get, "/v1/targets", .anyone, reads: inputs, problems: [.notFound, .unavailable], week),
            Route(.get, "/v1/targets/history", .anyone, reads: inputs, problems: [.unavailable], history),
        ]
    }

    private func week(_ request: Request, _ context: APIContext) async throws -> Response {
        var query = QueryReader(request)
        let region = query.region(targets)
        let week = query.optional("week", ISOWeek.init(_:))
        try query.finish()
        guard let region else { throw ProblemDetails(.invalidParameter) }
        let running = try targets.runningWeek(of: region)
        let found = try await targets.week(region, week ?? running, try await Asked(request.headers, log))
        return try Response.publicRepresentation(
            JSONWriter.bytes(of: found.value), for: request, headers: try HTTPFields(reflecting: found, of: log))
    }

    private func history(_ request: Request, _ context: APIContext) async throws -> Response {
        var query = QueryReader(request)
        let region = query.region(targets)
        var page = TargetQueries.Page(limit: query.pageLimit())
        let list = PagedList("targets", [region?.code.text], log)
        page.after = query.after(list)?.key
        try query.finish()
        guard let region else { throw ProblemDetails(.invalidParameter) }
        return try list.page(
            try await targets.history(of: region, page, try await Asked(request.headers, log)), for: request)
    }
}

extension QueryReader {
    /// The region, which is required; nil where its fault is noted.
    fileprivate mutating func region(_ targets: TargetReader) -> Region? {
        required("region") { (text) throws(RuleViolation) in try targets.region(try RegionCode(text)) }
    }
}
