import Domain
import Forms
import HTTPTypes
import Hummingbird
import ReadModels
package import Service
package import Web

/// The differences between two tables of ranges.
package struct ExportDiffRoutes: RouteGroup {
    let exports: ExportUseCases
    let log: LogState

    package var routes: [Route] {
        [
            Route(
                .get, "/v1/exports/{id}/diff", .anyone, reads: [.query, .position, .tag],
                problems: [.notFound, .conflict, .gone, .exportRestricted, .unavailable], diff)
        ]
    }

    private func diff(_ request: Request, _ context: APIContext) async throws -> Response {
        let id = try context.exportID()
        var query = QueryReader(request)
        let other = query.required("with", ExportID.init(text:))
        let limit = query.pageLimit()
        let list = PagedList("exports/\(id)/diff", [other?.description], log)
        let cursor: PagedList.Cursor<RangeDiffPage.Key>? = query.after(list)
        try query.finish()
        guard let other else { throw ProblemDetails(.badRequest) }
        let asked = try await Asked(request.headers, log)
        let found = try await exports.diff.differences(
            of: id, with: other, RangeDiffPage(limit: limit, after: cursor?.key), position: asked.position)
        return try list.page(found, for: request)
    }
}

extension RangeDiffPage.Key: PageKey {
    package init?(parts: ArraySlice<PageCursor.Part>) {
        guard parts.count == 2, case .uuid(let taxon) = parts.first, case .integer(let done) = parts.last, done >= 0
        else { return nil }
        self.init(TaxonID(taxon), done: Int(done))
    }

    package var parts: [PageCursor.Part] { [.uuid(taxon.uuid), .integer(Int64(done))] }
}
