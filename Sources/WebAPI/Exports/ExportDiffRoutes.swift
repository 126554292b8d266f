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
        var rest = parts
        guard case .uuid(let uuid) = rest.popFirst() else { return nil }
        let taxon = TaxonID(uuid)
        if rest.isEmpty {
            self = .end(of: taxon)
            return
        }
        guard case .text(let region) = rest.popFirst(), case .text(let metric) = rest.popFirst() else { return nil }
        let code = try? RegionCode(region)
        guard code != nil || region.isEmpty else { return nil }
        var period: RangePeriod?
        if !rest.isEmpty {
            guard let read = RangePeriod(parts: rest) else { return nil }
            period = read
        }
        self.init(taxon, code, period, metric: metric)
    }

    package var parts: [PageCursor.Part] {
        guard let metric else { return [.uuid(taxon.uuid)] }
        return [.uuid(taxon.uuid), .text(region?.text ?? ""), .text(metric)] + (period?.parts ?? [])
    }
}

extension RangePeriod {
    /// nil if the parts are not those of a period.
    fileprivate init?(parts: ArraySlice<PageCursor.Part>) {
        guard parts.count <= 2, case .integer(let first) = parts.first, case .integer(let last) = parts.last,
            first <= last
        else { return nil }
        self = parts.count == 1 ? .week(Int(first)) : .years(from: Int(first), to: Int(last))
    }

    /// The first and the last year, or the week.
    fileprivate var parts: [PageCursor.Part] {
        switch self {
        case .years(let from, let to): [.integer(Int64(from)), .integer(Int64(to))]
        case .week(let week): [.integer(Int64(week))]
        }
    }
}
