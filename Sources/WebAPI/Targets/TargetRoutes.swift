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
        let limit = query.pageLimit()
        let scope = PageCursor.scope("targets", [region?.code.text])
        let before = query.optional("after") { (token) throws(RuleViolation) in
            try ISOWeek(token, scope, log)
        }
        try query.finish()
        guard let region else { throw ProblemDetails(.invalidParameter) }
        let found = try await targets.history(
            of: region, before: before, limit: limit + 1, try await Asked(request.headers, log))
        let items = Array(found.value.prefix(limit))
        let next = try found.value.count > limit ? items.last.map { try $0.week.token(scope, log) } : nil
        var headers = try HTTPFields(reflecting: found, of: log)
        headers.link(next: next, of: request)
        return try Response.publicRepresentation(
            JSONWriter.bytes(of: Page(items: items, next: next)), for: request, headers: headers)
    }
}

extension QueryReader {
    /// The region, which is required; nil where its fault is noted.
    fileprivate mutating func region(_ targets: TargetReader) -> Region? {
        let region = optional("region") { (text) throws(RuleViolation) in try targets.region(try RegionCode(text)) }
        if region == nil, faults.isEmpty { note("region", .required) }
        return region
    }
}

extension ISOWeek {
    fileprivate init(_ token: String, _ scope: String, _ log: LogState) throws(RuleViolation) {
        let cursor = try PageCursor(token: token, scope: scope, sealedBy: log.cursors)
        guard cursor.parts.count == 1, case .text(let text) = cursor.parts[0], let week = try? ISOWeek(text) else {
            throw RuleViolation(.format, "must be the cursor that an earlier page of the same query gave")
        }
        self = week
    }

    fileprivate func token(_ scope: String, _ log: LogState) throws -> String {
        try PageCursor([.text(description)]).token(scope: scope, sealedBy: log.cursors, at: log.now())
    }
}
