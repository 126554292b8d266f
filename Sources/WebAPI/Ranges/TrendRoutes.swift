import Domain
import Forms
import HTTPTypes
import Hummingbird
import JSON
import Service
package import Web

/// Trends of the ends of the ranges of taxa.
package struct TrendRoutes: RouteGroup {
    let ranges: RangeUseCases
    let log: LogState
    let catalogue: Catalogue
    let vocabulary: FilterVocabulary

    package var routes: [Route] {
        [
            Route(
                .get, "/v1/taxa/{id}/trend", .anyone, reads: [.query, .asOf, .position, .tag],
                problems: [.notFound, .rankTooHigh, .tooManyRows, .unavailable], trend)
        ]
    }

    private func trend(_ request: Request, _ context: APIContext) async throws -> Response {
        guard let taxon = context.parameters.get("id").flatMap(TaxonID.init),
            let summary = catalogue.names.summary(of: taxon)
        else { throw ProblemDetails(.notFound) }
        var query = QueryReader(request)
        let range = try await query.rangeQuery(of: taxon, needsEnd: true, vocabulary)
        let metric = query.optional("metric", MarginMetric.init(word:)) ?? .meanOf10Cells
        let day = query.asOf()
        try query.finish(asOf: day, log)
        guard let end = range.end else { throw ProblemDetails(.internalError) }
        guard summary.rank >= .genus else { throw ProblemDetails(.rankTooHigh) }
        let found = try await ranges.trend(
            TrendQuery(range, end: end, metric: metric), try await Asked(request.headers, asOf: day, log))
        return try .publicRepresentation(
            JSONWriter.bytes(of: TrendAnswer(trend: found.value, asOf: day)), for: request,
            headers: try HTTPFields(reflecting: found, of: log))
    }
}
