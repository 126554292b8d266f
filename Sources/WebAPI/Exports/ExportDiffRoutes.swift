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
    /// Every key has as many parts: in cursors for one caller, others follow.
    package init?(parts: ArraySlice<PageCursor.Part>) {
        let parts = Array(parts)
        guard parts.count == 4, case .uuid(let uuid) = parts[0], case .text(let region) = parts[1],
            case .text(let metric) = parts[2], case .text(let years) = parts[3]
        else { return nil }
        if metric.isEmpty {
            self = .end(of: TaxonID(uuid))
            return
        }
        let (code, period) = (try? RegionCode(region), RangePeriod(numbers: years))
        guard code != nil || region.isEmpty, period != nil || years.isEmpty else { return nil }
        self.init(TaxonID(uuid), code, period, metric: metric)
    }

    package var parts: [PageCursor.Part] {
        [.uuid(taxon.uuid), .text(region?.text ?? ""), .text(metric ?? ""), .text(period?.numbers ?? "")]
    }
}

extension RangePeriod {
    /// nil if the text is not that of a period.
    fileprivate init?(numbers text: String) {
        let numbers = text.split(separator: " ").compactMap { Int($0) }
        switch numbers.count {
        case 1: self = .week(numbers[0])
        case 2 where numbers[0] <= numbers[1]: self = .years(from: numbers[0], to: numbers[1])
        default: return nil
        }
    }

    /// The first and the last year, or the week.
    fileprivate var numbers: String {
        switch self {
        case .years(let from, let to): "\(from) \(to)"
        case .week(let week): "\(week)"
        }
    }
}
