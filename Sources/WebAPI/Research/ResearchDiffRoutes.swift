import Domain
import Forms
import HTTPTypes
import Hummingbird
import ReadModels
import Service
package import Web

/// The differences between a table of ranges of a researcher's own and another one of theirs, or a public one.
package struct ResearchDiffRoutes: RouteGroup {
    let exporting: ResearchExporting
    let log: LogState

    package var routes: [Route] {
        [
            Route(
                .get, "/v1/research/exports/{id}/diff", .researchers, reads: [.query, .position],
                problems: [.notFound, .conflict, .gone, .exportRestricted, .unavailable], diff)
        ]
    }

    private func diff(_ request: Request, _ context: APIContext) async throws -> Response {
        let account = try context.signedIn().accountID
        let id = try context.exportID()
        var query = QueryReader(request)
        let other = query.required("with", ExportID.init(text:))
        let limit = query.pageLimit()
        let list = PagedList("research/exports/\(id)/diff", [other?.description], log)
        let cursor: PagedList.Cursor<RangeDiffPage.Key>? = query.after(list)
        try query.finish()
        guard let other else { throw ProblemDetails(.badRequest) }
        let asked = try await Asked(request.headers, after: cursor?.position, log)
        let found = try await exporting.differences(
            of: id, with: other, RangeDiffPage(limit: limit, after: cursor?.key), by: account,
            position: asked.position)
        return try list.page(
            found.value, showing: found.position, headers: try HTTPFields(reflecting: found, of: log), for: request)
    }
}
