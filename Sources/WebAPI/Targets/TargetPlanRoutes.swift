import Domain
import HTTPTypes
import Hummingbird
import JSON
import Service
package import Web

/// Admins' part in the targets: plans for later weeks, and replacements in the running one.
package struct TargetPlanRoutes: RouteGroup {
    let targets: TargetService
    let log: LogState

    package var routes: [Route] {
        let path = "/v1/targets/{region}/{week}"
        let inputs: Set<RouteInput> = [.body, .key, .version]
        return [
            Route(.get, path, .admins, reads: [.query, .tag], problems: [.notFound], week),
            Route(.put, path, .admins, reads: inputs, problems: [.notFound, .weekHasBegun], plan),
            Route(
                .post, path + "/replace", .admins, reads: inputs,
                problems: [.notFound, .noRunningWeek, .alreadyTarget], replace),
        ]
    }

    private func week(_ request: Request, _ context: APIContext) async throws -> Response {
        try QueryReader.expectNone(in: request)
        let (region, week) = try context.regionAndWeek()
        return try answer(try await targets.week(region, week), request)
    }

    private func plan(_ request: Request, _ context: APIContext) async throws -> Response {
        let change = try ChangeHeaders(request, context)
        let (region, week) = try context.regionAndWeek()
        var body = JSONObjectReader(try await request.json())
        let taxa = body.words("taxa", count: 0...TargetsDecider.count) { (text) throws(RuleViolation) in
            try TaxonID(text: text)
        }
        try body.finish()
        guard let taxa else { throw body.faults }
        return try answer(
            try await targets.plan(
                region, week, taxa, ifVersions: change.versions, by: change.account, key: change.key), request)
    }

    private func replace(_ request: Request, _ context: APIContext) async throws -> Response {
        let change = try ChangeHeaders(request, context)
        let (region, week) = try context.regionAndWeek()
        var body = JSONObjectReader(try await request.json())
        let target = body.required("targetId", String.self) { (text) throws(RuleViolation) in try TargetID(text: text) }
        let taxon = body.required("taxonId", String.self) { (text) throws(RuleViolation) in try TaxonID(text: text) }
        let reason = body.required("reason", String.self, ReplacementReason.init(word:))
        try body.finish()
        guard let target, let taxon, let reason else { throw body.faults }
        return try answer(
            try await targets.replace(
                target, in: region, week, by: taxon, reason, ifVersions: change.versions, by: change.account,
                key: change.key), request)
    }

    private func answer(_ week: TargetService.Week, _ request: Request) throws -> Response {
        var headers: HTTPFields = [:]
        try headers.tell(position: week.position, of: log)
        return try Response.ownRepresentation(
            JSONWriter.bytes(of: week), version: week.version, for: request, headers: headers)
    }
}

extension APIContext {
    /// The region and the week that the path names.
    /// - Throws: 404 for other words.
    fileprivate func regionAndWeek() throws(ProblemDetails) -> (RegionCode, ISOWeek) {
        guard let region = parameters.get("region").flatMap({ try? RegionCode($0) }),
            let week = parameters.get("week").flatMap({ try? ISOWeek($0) })
        else { throw ProblemDetails(.notFound) }
        return (region, week)
    }
}
