import Domain
import Forms
import HTTPTypes
import Hummingbird
import JSON
import ReadModels
import Service
package import Web

/// Public records with rejected ones, for researchers.
package struct ResearchListRoutes: RouteGroup {
    let research: ResearchUseCases
    let records: PublicReads
    let log: LogState
    let vocabulary: FilterVocabulary

    package var routes: [Route] {
        [
            Route(
                .get, "/v1/research/sightings", .researchers, reads: [.query, .asOf, .position],
                problems: [.unavailable], list)
        ]
    }

    private func list(_ request: Request, _ context: APIContext) async throws -> Response {
        try await SightingStreamRoutes.negotiated(request) {
            try await sequence(request, as: $0, context)
        } page: {
            try await page(request)
        }
    }

    /// All records at once: reviewed ones and rejected ones.
    private func sequence(_ request: Request, as format: StreamFormat, _ context: APIContext) async throws -> Response {
        var query = QueryReader(request)
        let filter = try await query.publicFilter(statuses: BulkQuery.statuses, vocabulary)
        let rejected = query.rejected()
        let day = query.asOf()
        try query.finish(asOf: day, log)
        return try await SightingStreamRoutes(records: records, log: log).response(
            BulkQuery(filter: filter, rejected: rejected), as: format,
            try await Asked(request.headers, asOf: day, log), context, caching: .privateNoStore)
    }

    private func page(_ request: Request) async throws -> Response {
        var query = QueryReader(request)
        let limit = query.pageLimit()
        let filter = try await query.publicFilter(vocabulary)
        let rejected = query.rejected()
        let day = query.asOf()
        let list = PagedList("research/sightings", [filter.canonical, rejected.rawValue, day?.description], log)
        let cursor: PagedList.Cursor<PublicListQueries.Page.Key>? = query.after(list)
        try query.finish(asOf: day, log)
        let page = PublicListQueries.Page(filter, limit: limit, after: cursor?.key)
        let asked = try await Asked(request.headers, after: cursor?.position, asOf: day, log)
        let found = try await research.list(ResearchListQueries.Page(page, rejected: rejected), asked)
        return try list.page(
            found.value, showing: found.position, headers: try HTTPFields(reflecting: found, of: log), for: request
        ) {
            RecordPage(page: $0, day: day, statuses: filter.statuses(rejected))
        }
    }
}

extension QueryReader {
    /// Which rejected records are asked for.
    fileprivate mutating func rejected() -> RejectedChoice {
        optional("rejected", RejectedChoice.init(word:)) ?? .with
    }
}

extension RecordFilter {
    /// The statuses that an answer for researchers can have.
    fileprivate func statuses(_ rejected: RejectedChoice) -> [SightingStatus] {
        (rejected == .only ? [] : shownStatuses) + [.rejected]
    }
}
