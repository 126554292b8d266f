import Domain
import Forms
import HTTPTypes
import Hummingbird
import JSON
import Service
package import Web

/// Where the ranges of taxa end, how these ends move, and how many records there are. Taxa above genus have no ranges.
package struct RangeRoutes: RouteGroup {
    let ranges: RangeUseCases
    let log: LogState
    let catalogue: Catalogue
    let vocabulary: FilterVocabulary

    package var routes: [Route] {
        [
            route("/v1/taxa/{id}/ranges", table), route("/v1/taxa/{id}/trend", trend),
            route("/v1/taxa/{id}/totals", totals),
        ]
    }

    private func route(_ template: String, _ handler: @escaping Route.Handler) -> Route {
        Route(
            .get, template, .anyone, reads: [.query, .asOf, .position, .tag],
            problems: [.notFound, .rankTooHigh, .tooManyRows, .unavailable], handler)
    }

    private func table(_ request: Request, _ context: APIContext) async throws -> Response {
        let taxon = try context.taxon(in: catalogue)
        var query = QueryReader(request)
        let range = try await query.rangeQuery(of: taxon.id, vocabulary)
        let asked = try await finish(&query, about: taxon, request)
        let found = try await ranges.range(range, asked)
        return try response(RangeAnswer(range: found.value, asOf: asked.day), found, request)
    }

    private func trend(_ request: Request, _ context: APIContext) async throws -> Response {
        let taxon = try context.taxon(in: catalogue)
        var query = QueryReader(request)
        let range = try await query.rangeQuery(of: taxon.id, needsEnd: true, vocabulary)
        let metric = query.optional("metric", MarginMetric.init(word:)) ?? .meanOf10Cells
        let asked = try await finish(&query, about: taxon, request)
        guard let end = range.end else { throw ProblemDetails(.internalError) }
        let found = try await ranges.trend(TrendQuery(range, end: end, metric: metric), asked)
        return try response(TrendAnswer(trend: found.value, asOf: asked.day), found, request)
    }

    private func totals(_ request: Request, _ context: APIContext) async throws -> Response {
        let taxon = try context.taxon(in: catalogue)
        var query = QueryReader(request)
        let asked = try await finish(&query, about: taxon, request)
        let found = try await ranges.totals(of: taxon.id, asked)
        return try response(TotalsAnswer(totals: found.value, asOf: asked.day), found, request)
    }

    /// Reads the day, and checks that nothing else is left in the query.
    /// - Throws: `Faults`, `ProblemDetails` for a taxon above genus.
    private func finish(
        _ query: inout QueryReader, about taxon: TaxonSummary, _ request: Request
    ) async throws -> Asked {
        let day = query.asOf()
        try query.finish(asOf: day, log)
        guard taxon.rank >= .genus else { throw ProblemDetails(.rankTooHigh) }
        return try await Asked(request.headers, asOf: day, log)
    }

    private func response<Value>(
        _ body: some JSONRepresentable, _ found: Shown<Value>, _ request: Request
    ) throws -> Response {
        try .publicRepresentation(
            JSONWriter.bytes(of: body), for: request, headers: try HTTPFields(reflecting: found, of: log))
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
