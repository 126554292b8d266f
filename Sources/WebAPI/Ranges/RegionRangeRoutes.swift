import Domain
import Forms
import HTTPTypes
import Hummingbird
import JSON
import ReadModels
import Service
package import Web

/// The species of regions, and where their ranges end there.
package struct RegionRangeRoutes: RouteGroup {
    let ranges: RangeUseCases
    let log: LogState
    let places: PlaceIndex
    let vocabulary: FilterVocabulary

    /// The members of the filter of public records that are not accepted.
    private static let left = RecordFilter.Member.all.subtracting([.kind, .from, .to])

    package var routes: [Route] {
        let inputs: Set<RouteInput> = [.query, .asOf, .position, .tag]
        return [
            Route(
                .get, "/v1/regions/{code}/ranges", .anyone, reads: inputs, problems: [.notFound, .unavailable], table),
            Route(
                .get, "/v1/regions/{code}/species", .anyone, reads: inputs,
                problems: [.notFound, .tooManyRows, .unavailable], species),
        ]
    }

    private func table(_ request: Request, _ context: APIContext) async throws -> Response {
        let region = try region(context)
        var query = QueryReader(request)
        let filter = try await query.publicFilter(without: Self.left, vocabulary)
        let asked = RegionQuery.ranges(in: region, filter)
        let end = query.optional("end", RangeEnd.init(word:)) ?? .south
        let limit = query.pageLimit()
        let day = query.asOf()
        let list = PagedList("region-ranges", [asked.filter.canonical, end.rawValue, day?.description], log)
        let page = RegionRangeQueries.Page(asked, end, limit: limit, after: query.after(list)?.key)
        try query.finish(asOf: day, log)
        let found = try await ranges.ranges(page, try await Asked(request.headers, asOf: day, log))
        return try list.page(found, for: request) { RegionRangePage(query: asked, end: end, page: $0, day: day) }
    }

    private func species(_ request: Request, _ context: APIContext) async throws -> Response {
        let region = try region(context)
        var query = QueryReader(request)
        let filter = try await query.publicFilter(without: Self.left, vocabulary)
        let asked = RegionQuery.species(of: region, filter)
        let day = query.asOf()
        try query.finish(asOf: day, log)
        let found = try await ranges.species(asked, try await Asked(request.headers, asOf: day, log))
        return try .publicRepresentation(
            JSONWriter.bytes(of: RegionSpeciesAnswer(query: asked, species: found.value, asOf: day)), for: request,
            headers: try HTTPFields(reflecting: found, of: log))
    }

    private func region(_ context: APIContext) throws -> RegionCode {
        guard let text = context.parameters.get("code"), let code = try? RegionCode(text),
            let region = try? places.region(code)
        else { throw ProblemDetails(.notFound) }
        return region.code
    }
}

/// A page of the species of a region with the ends of their ranges.
private struct RegionRangePage: JSONRepresentable {
    let query: RegionQuery
    let end: RangeEnd
    let page: Page<RegionRange>
    /// The day as of whose end it is; nil for the present.
    let day: CivilDate?

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("asOf", day)
            writer.field("region", query.region)
            writer.field("statuses", query.statuses)
            writer.field("parameters", RegionRangeParameters(query: query, end: end))
            writer.field("items", page.items)
            writer.field("next", page.next)
        }
    }
}
