import Domain
import Forms
import FoundationEssentials
import HTTPTypes
import Hummingbird
import JSON
import ReadModels
import Service
package import Web

/// What anyone may see of sightings: the record, its history, a taxon's map.
package struct PublicSightingRoutes: RouteGroup {
    let records: PublicReads
    let log: LogState
    let catalogue: Catalogue
    let vocabulary: FilterVocabulary

    package var routes: [Route] {
        let inputs: Set<RouteInput> = [.query, .asOf, .position, .tag]
        return [
            Route(
                .get, "/v1/sightings/{id}", .anyone, reads: inputs, problems: [.notFound, .gone, .unavailable],
                sighting),
            Route(
                .get, "/v1/sightings/{id}/history", .anyone, reads: inputs, problems: [.notFound, .gone, .unavailable],
                history),
            Route(.get, "/v1/taxa/{id}/map", .anyone, reads: inputs, problems: [.notFound, .unavailable], map),
        ]
    }

    private func sighting(_ request: Request, _ context: APIContext) async throws -> Response {
        let id = try context.sightingID()
        let record = try await records.read(PublicReader.named, try await Asked(ofDay: request, log)) {
            try await $0.sighting(id, asOf: $1)
        }
        guard record.value.isComplete else { throw ProblemDetails(.gone) }
        return try Response.publicRepresentation(
            JSONWriter.bytes(of: record.value), for: request, headers: try HTTPFields(reflecting: record, of: log))
    }

    private func history(_ request: Request, _ context: APIContext) async throws -> Response {
        let id = try context.sightingID()
        let events = try await records.read(PublicReader.records, try await Asked(ofDay: request, log)) {
            try await $0.history(id, asOf: $1)
        }
        return try Response.publicRepresentation(
            JSONWriter.bytes(of: WholeList(items: try events.value.map(HistoryEntry.init))), for: request,
            headers: try HTTPFields(reflecting: events, of: log))
    }

    private func map(_ request: Request, _ context: APIContext) async throws -> Response {
        let taxon = try context.taxon(in: catalogue).id
        var query = QueryReader(request)
        let view = MapView(try await query.publicFilter(without: [.taxon], vocabulary), grid: query.mapGrid())
        let asOf = query.asOf()
        try query.finish(asOf: asOf, log)
        let asked = try await Asked(request.headers, asOf: asOf, log)
        if FeatureSequence.isAccepted(request.headers) { return try await sequence(of: taxon, view, asked, context) }
        let answer = try await records.map(of: taxon, view, asked)
        var headers = try HTTPFields(reflecting: answer, of: log)
        headers.vary(by: .accept)
        let map = FeatureCollection(
            answer: answer.value.answer, names: answer.value.names, asOf: asOf, statuses: view.filter.shownStatuses)
        return try Response.publicRepresentation(
            JSONWriter.bytes(of: map), for: request, headers: headers, contentType: FeatureCollection.contentType)
    }

    /// Sends every record of a map, as fast as the client reads. After a failure, the response ends without its final
    /// chunk.
    private func sequence(
        of taxon: TaxonID, _ view: MapView, _ asked: Asked, _ context: APIContext
    ) async throws -> Response {
        let found = try await records.sequence(under: view.filter, asked)
        var headers = try HTTPFields(reflecting: found.moment, of: log)
        headers.vary(by: .accept)
        headers[.contentType] = FeatureSequence.contentType
        headers[.cacheControl] = CachePolicy.publicMinutes.rawValue
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody { writer in
                var sequence = FeatureSequence()
                var pace = ReadingPace(.sequence, of: context.channel)
                try await found.eachPoint(of: taxon, view) { points, names in
                    try await pace.write(sequence.lines(points, names), to: &writer)
                }
                try await writer.finish(nil)
            })
    }
}

extension FeatureSequence {
    /// Whether a client names it, and prefers nothing else that a map has.
    static func isAccepted(_ headers: HTTPFields) -> Bool {
        headers.prefers(contentType, to: "application/geo+json")
    }
}
