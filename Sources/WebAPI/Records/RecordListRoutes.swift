import Domain
import Forms
import FoundationEssentials
import HTTPTypes
import Hummingbird
import JSON
import ReadModels
import Service
package import Web

/// Public records under a filter: page by page, and their number.
package struct RecordListRoutes: RouteGroup {
    let records: PublicReads
    let log: LogState
    let vocabulary: FilterVocabulary

    package var routes: [Route] {
        let inputs: Set<RouteInput> = [.query, .asOf, .position, .tag]
        return [
            Route(.get, "/v1/sightings", .anyone, reads: inputs, problems: [.unavailable], list),
            Route(.get, "/v1/sightings/count", .anyone, reads: inputs, problems: [.unavailable], count),
        ]
    }

    private func list(_ request: Request, _ context: APIContext) async throws -> Response {
        try await SightingStreamRoutes.negotiated(request) {
            try await sequence(request, as: $0, context)
        } page: {
            try await page(request)
        }
    }

    /// All records at once, which may have fewer statuses: bulk answers have no records that are not reviewed.
    private func sequence(_ request: Request, as format: StreamFormat, _ context: APIContext) async throws -> Response {
        var query = QueryReader(request)
        let filter = try await query.publicFilter(statuses: BulkQuery.statuses, vocabulary)
        let day = query.asOf()
        try query.finish(asOf: day, log)
        return try await SightingStreamRoutes(records: records, log: log).response(
            BulkQuery(filter: filter), as: format, try await Asked(request.headers, asOf: day, log), context)
    }

    private func page(_ request: Request) async throws -> Response {
        var query = QueryReader(request)
        let limit = query.pageLimit()
        let filter = try await query.publicFilter(vocabulary)
        let day = query.asOf()
        let list = PagedList("sightings", [filter.canonical, day?.description], log)
        let page = PublicListQueries.Page(filter, limit: limit, after: query.after(list)?.key)
        try query.finish(asOf: day, log)
        let found = try await records.list(page, try await Asked(request.headers, asOf: day, log))
        return try list.page(found, for: request) {
            RecordPage(page: $0, day: day, statuses: filter.shownStatuses)
        }
    }

    private func count(_ request: Request, _ context: APIContext) async throws -> Response {
        var query = QueryReader(request)
        let filter = try await query.publicFilter(vocabulary)
        let day = query.asOf()
        try query.finish(asOf: day, log)
        let count = try await records.count(filter, try await Asked(request.headers, asOf: day, log))
        let body = RecordCount(count: count.value, day: day, statuses: filter.shownStatuses)
        return try .publicRepresentation(
            JSONWriter.bytes(of: body), for: request, headers: try HTTPFields(reflecting: count, of: log))
    }
}
