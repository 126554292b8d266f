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

    /// `Accept` decides first which form of the records is asked for.
    private func list(_ request: Request, _ context: APIContext) async throws -> Response {
        if let format = SightingStreamRoutes.format(request.headers) {
            return try await sequence(request, as: format, context)
        }
        var page = try await page(request)
        page.headers.vary(by: .accept)
        return page
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
            ResearchPage(page: $0, day: day, statuses: filter.statuses(rejected))
        }
    }
}

extension QueryReader {
    /// Which rejected records are asked for.
    fileprivate mutating func rejected() -> RejectedChoice {
        optional("rejected", RejectedChoice.init(word:)) ?? .with
    }
}

/// A page of records, with the day at whose end it is as of, and the statuses that it can have.
private struct ResearchPage: JSONRepresentable {
    let page: Page<ResearchRecord>
    /// nil for the present.
    let day: CivilDate?
    let statuses: [SightingStatus]

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("items", page.items)
            writer.field("next", page.next)
            writer.field("asOf", day)
            writer.field("statuses", statuses)
        }
    }
}

extension RecordFilter {
    /// The statuses that an answer for researchers can have.
    fileprivate func statuses(_ rejected: RejectedChoice) -> [SightingStatus] {
        (rejected == .only ? [] : shownStatuses) + [.rejected]
    }
}
