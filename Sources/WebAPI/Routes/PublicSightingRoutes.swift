import Domain
import FoundationEssentials
import HTTPTypes
import Hummingbird
import JSON
import ReadModels
import Service

/// What anyone may see of sightings: the record, its history, a taxon's map.
package struct PublicSightingRoutes: RouteGroup {
    let records: PublicReader
    let log: LogState
    let months: MonthEnds
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
        let moment = try await moment(of: request)
        try await ReadYourWrites(log).wait(for: moment.shown, model: PublicReader.names)
        let record = try await records.sighting(id, asOf: moment)
        guard record.isComplete else { throw ProblemDetails(.gone) }
        return try Response.publicRepresentation(
            JSONWriter.bytes(of: record), for: request, headers: try headers(moment))
    }

    private func history(_ request: Request, _ context: APIContext) async throws -> Response {
        let id = try context.sightingID()
        let moment = try await moment(of: request)
        let rows = try await records.history(id, asOf: moment)
        let entries = try rows.enumerated().map { index, row in
            try HistoryEntryView(row, before: index > 0 ? rows[index - 1] : nil)
        }
        return try Response.publicRepresentation(
            JSONWriter.bytes(of: WholeList(items: entries)), for: request, headers: try headers(moment))
    }

    private func map(_ request: Request, _ context: APIContext) async throws -> Response {
        guard let taxon = context.parameters.get("id").flatMap(TaxonID.init), catalogue.names.summary(of: taxon) != nil
        else { throw ProblemDetails(.notFound) }
        var query = QueryReader(request)
        let view = query.mapView()
        let asOf = query.optional("asOf", CivilDate.init(_:))
        try query.finish()
        let moment = try await moment(asOf, request)
        var headers = try headers(moment)
        headers.vary(by: .accept)
        if FeatureSequence.isAccepted(request.headers) { return records(of: taxon, view, moment, headers) }
        let answer = try await records.map(of: taxon, view, asOf: moment)
        let map = FeatureCollection(answer: answer, names: catalogue.names)
        return try Response.publicRepresentation(
            JSONWriter.bytes(of: map), for: request, headers: headers, contentType: FeatureCollection.contentType)
    }

    /// Every record of a map, sent as fast as the client reads. A failure breaks the response off: its end is missing.
    private func records(
        of taxon: TaxonID, _ view: MapView, _ moment: PublicMoment, _ headers: HTTPFields
    ) -> Response {
        var headers = headers
        headers[.contentType] = FeatureSequence.contentType
        headers[.cacheControl] = CachePolicy.publicFiveMinutes.rawValue
        let names = catalogue.names
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody { [records] writer in
                var sequence = FeatureSequence(names: names)
                try await records.eachPoint(of: taxon, view, asOf: moment) { points in
                    try await writer.write(sequence.lines(points))
                }
                try await writer.finish(nil)
            })
    }

    private func headers(_ moment: PublicMoment) throws -> HTTPFields {
        var headers: HTTPFields = [:]
        try headers.tell(position: moment.known, restrictions: moment.shown, of: log)
        return headers
    }

    /// The moment of a request that has no other parameters.
    private func moment(of request: Request) async throws -> PublicMoment {
        var query = QueryReader(request)
        let asOf = query.optional("asOf", CivilDate.init(_:))
        try query.finish()
        return try await moment(asOf, request)
    }

    /// As of when to answer: what the model knows now, or what was known at the end of a day in UTC; restrictions
    /// always as of now.
    private func moment(_ asOf: CivilDate?, _ request: Request) async throws -> PublicMoment {
        try await ReadYourWrites(log).wait(request.headers, model: PublicReader.model)
        guard let asOf else {
            let reached = log.position(of: PublicReader.model)
            return try await months.moment(known: reached, shown: reached)
        }
        guard let known = try await log.position(atEndOf: asOf) else { throw ProblemDetails(.dayNotOver) }
        try await ReadYourWrites(log).wait(for: known, model: PublicReader.model)
        return try await months.moment(
            known: known, shown: log.position(of: PublicReader.model), asOf: asOf)
    }
}
