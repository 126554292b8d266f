import Domain
import Forms
import HTTPTypes
import Hummingbird
import JSON
import Service
package import Web

/// Where the ranges of taxa end.
package struct RangeRoutes: RouteGroup {
    let ranges: RangeUseCases
    let log: LogState
    let catalogue: Catalogue
    let vocabulary: FilterVocabulary

    package var routes: [Route] {
        [
            Route(
                .get, "/v1/taxa/{id}/ranges", .anyone, reads: [.query, .asOf, .position, .tag],
                problems: [.notFound, .rankTooHigh, .tooManyRows, .unavailable], table)
        ]
    }

    private func table(_ request: Request, _ context: APIContext) async throws -> Response {
        guard let taxon = context.parameters.get("id").flatMap(TaxonID.init),
            let summary = catalogue.names.summary(of: taxon)
        else { throw ProblemDetails(.notFound) }
        var query = QueryReader(request)
        let range = try await query.rangeQuery(of: taxon, vocabulary)
        let day = query.asOf()
        try query.finish(asOf: day, log)
        guard summary.rank >= .genus else { throw ProblemDetails(.rankTooHigh) }
        let found = try await ranges.range(range, try await Asked(request.headers, asOf: day, log))
        return try .publicRepresentation(
            JSONWriter.bytes(of: RangeAnswer(range: found.value, asOf: day)), for: request,
            headers: try HTTPFields(reflecting: found, of: log))
    }
}

extension TooManyRangeRows: ProblemConvertible {
    package var problem: ProblemDetails {
        let verb =
            switch part {
            case .answer: "have"
            case .records: "be computed from"
            }
        return ProblemDetails(
            .tooManyRows,
            detail: "The response would \(verb) more than \(most) rows. Ask for one region, a shorter time or longer "
                + "periods, or compute the figures from an export (POST /v1/exports).")
    }
}
