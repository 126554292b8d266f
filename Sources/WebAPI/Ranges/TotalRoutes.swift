import Domain
import Forms
import HTTPTypes
import Hummingbird
import JSON
import Service
package import Web

/// The records of taxa by country and year.
package struct TotalRoutes: RouteGroup {
    let ranges: RangeUseCases
    let log: LogState
    let catalogue: Catalogue

    package var routes: [Route] {
        [
            Route(
                .get, "/v1/taxa/{id}/totals", .anyone, reads: [.query, .asOf, .position, .tag],
                problems: [.notFound, .rankTooHigh, .tooManyRows, .unavailable], totals)
        ]
    }

    private func totals(_ request: Request, _ context: APIContext) async throws -> Response {
        guard let taxon = context.parameters.get("id").flatMap(TaxonID.init),
            let summary = catalogue.names.summary(of: taxon)
        else { throw ProblemDetails(.notFound) }
        var query = QueryReader(request)
        let day = query.asOf()
        try query.finish(asOf: day, log)
        guard summary.rank >= .genus else { throw ProblemDetails(.rankTooHigh) }
        let found = try await ranges.totals(of: taxon, try await Asked(request.headers, asOf: day, log))
        return try .publicRepresentation(
            JSONWriter.bytes(of: TotalsAnswer(totals: found.value, asOf: day)), for: request,
            headers: try HTTPFields(reflecting: found, of: log))
    }
}
