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
        let wish = try await wish(of: request)
        let shown = max(wish.position, log.position(of: PublicReader.model))
        try await ReadYourWrites(log).wait(for: shown, model: PublicReader.names)
        let (record, moment) = try await records.read(wish, with: [.accounts]) { reader, moment in
            try await reader.sighting(id, asOf: moment)
        }
        guard record.isComplete else { throw ProblemDetails(.gone) }
        return try Response.publicRepresentation(
            JSONWriter.bytes(of: record), for: request, headers: try HTTPFields(reflecting: moment, of: log))
    }

    private func history(_ request: Request, _ context: APIContext) async throws -> Response {
        let id = try context.sightingID()
        let (events, moment) = try await records.read(try await wish(of: request)) { reader, moment in
            try await reader.history(id, asOf: moment)
        }
        return try Response.publicRepresentation(
            JSONWriter.bytes(of: WholeList(items: try events.map(HistoryEntry.init))), for: request,
            headers: try HTTPFields(reflecting: moment, of: log))
    }

    private func map(_ request: Request, _ context: APIContext) async throws -> Response {
        guard let taxon = context.parameters.get("id").flatMap(TaxonID.init), catalogue.names.summary(of: taxon) != nil
        else { throw ProblemDetails(.notFound) }
        var query = QueryReader(request)
        let view = query.mapView()
        let asOf = query.optional("asOf", CivilDate.init(_:))
        try query.finish()
        let wish = try await wish(asOf, request)
        if FeatureSequence.isAccepted(request.headers) { return try await sequence(of: taxon, view, wish, context) }
        let (answer, moment) = try await records.map(of: taxon, view, wish)
        var headers = try HTTPFields(reflecting: moment, of: log)
        headers.vary(by: .accept)
        let map = FeatureCollection(answer: answer, names: catalogue.names)
        return try Response.publicRepresentation(
            JSONWriter.bytes(of: map), for: request, headers: headers, contentType: FeatureCollection.contentType)
    }

    /// Sends every record of a map, as fast as the client reads. After a failure, the response ends without its final
    /// chunk.
    private func sequence(
        of taxon: TaxonID, _ view: MapView, _ wish: PublicReads.Wish, _ context: APIContext
    ) async throws -> Response {
        let found = try await records.sequence(wish)
        var headers = try HTTPFields(reflecting: found.moment, of: log)
        headers.vary(by: .accept)
        headers[.contentType] = FeatureSequence.contentType
        headers[.cacheControl] = CachePolicy.publicMinutes.rawValue
        let names = catalogue.names
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody { writer in
                var sequence = FeatureSequence(names: names)
                var pace = ReadingPace(.sequence, of: context.channel)
                try await found.eachPoint(of: taxon, view) { points in
                    try await pace.write(sequence.lines(points), to: &writer)
                }
                try await writer.finish(nil)
            })
    }

    /// The moment that a request without other parameters asks for.
    private func wish(of request: Request) async throws -> PublicReads.Wish {
        var query = QueryReader(request)
        let asOf = query.optional("asOf", CivilDate.init(_:))
        try query.finish()
        return try await wish(asOf, request)
    }

    /// The moment as of which to answer: the present state of the model, or the end of a day in UTC. Restrictions are
    /// always applied as of now.
    private func wish(_ asOf: CivilDate?, _ request: Request) async throws -> PublicReads.Wish {
        let position = try await ReadYourWrites(log).wait(request.headers, model: PublicReader.model)
        guard let asOf else { return PublicReads.Wish(position: position) }
        guard let known = try await log.position(atEndOf: asOf) else { throw ProblemDetails(.dayNotOver) }
        try await ReadYourWrites(log).wait(for: known, model: PublicReader.model)
        return PublicReads.Wish(position: position, day: asOf, known: known)
    }
}

extension FeatureSequence {
    /// Whether a client names it, and prefers nothing else that a map has.
    static func isAccepted(_ headers: HTTPFields) -> Bool {
        headers.prefers(contentType, to: "application/geo+json")
    }
}
