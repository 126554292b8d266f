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
        let cursor: PagedList.Cursor<ClosedKey>? = query.after(list)
        try query.finish()
        guard let other else { throw ProblemDetails(.badRequest) }
        let asked = try await Asked(request.headers, after: cursor?.position, log)
        let found = try await exporting.differences(
            of: id, with: other, RangeDiffPage(limit: limit, after: cursor?.key.key), by: account,
            position: asked.position)
        let page = Slice(found.value.items, next: found.value.next.map { ClosedKey(key: $0) })
        return try list.page(
            page, showing: found.position, headers: try HTTPFields(reflecting: found, of: log), for: request)
    }
}

/// The key of a page with an end of its own: keys differ in length, and in cursors for one caller further parts follow.
private struct ClosedKey: PageKey {
    let key: RangeDiffPage.Key

    private static let end = ""

    init(key: RangeDiffPage.Key) {
        self.key = key
    }

    init?(parts: ArraySlice<PageCursor.Part>) {
        guard case .text(Self.end)? = parts.last, let key = RangeDiffPage.Key(parts: parts.dropLast()) else {
            return nil
        }
        self.key = key
    }

    var parts: [PageCursor.Part] { key.parts + [.text(Self.end)] }
}
