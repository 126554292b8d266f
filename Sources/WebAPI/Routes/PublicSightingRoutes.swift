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
        let record = try await records.sighting(id, asOf: moment)
        guard record.isComplete else { throw ProblemDetails(.gone) }
        return try Response.publicRepresentation(JSONWriter.bytes(of: record), for: request, headers: headers(moment))
    }

    private func history(_ request: Request, _ context: APIContext) async throws -> Response {
        let id = try context.sightingID()
        let moment = try await moment(of: request)
        let rows = try await records.history(id, asOf: moment)
        let entries = try rows.enumerated().map { index, row in
            try HistoryEntryView(row, before: index > 0 ? rows[index - 1] : nil)
        }
        return try Response.publicRepresentation(
            JSONWriter.bytes(of: WholeList(items: entries)), for: request, headers: headers(moment))
    }

    private func map(_ request: Request, _ context: APIContext) async throws -> Response {
        guard let taxon = context.parameters.get("id").flatMap(TaxonID.init), catalogue.names.summary(of: taxon) != nil
        else { throw ProblemDetails(.notFound) }
        var query = QueryReader(request)
        let view = query.mapView()
        let asOf = query.optional("asOf", AsOf.init(_:))
        try query.finish()
        let moment = try await moment(asOf, request)
        let answer = try await records.map(of: taxon, view, asOf: moment)
        let map = FeatureCollection(answer: answer, cellDegrees: view.grid.side, names: catalogue.names)
        return try Response.publicRepresentation(
            JSONWriter.bytes(of: map), for: request, headers: headers(moment),
            contentType: FeatureCollection.contentType)
    }

    private func headers(_ moment: PublicMoment) -> HTTPFields {
        var headers: HTTPFields = [:]
        headers.tell(
            position: LogPosition(epoch: log.epoch, position: moment.known),
            restrictions: LogPosition(epoch: log.epoch, position: moment.shown))
        return headers
    }

    /// The moment of a request that has no other parameters.
    private func moment(of request: Request) async throws -> PublicMoment {
        var query = QueryReader(request)
        let asOf = query.optional("asOf", AsOf.init(_:))
        try query.finish()
        return try await moment(asOf, request)
    }

    /// As of when to answer: what the model knows now, or what was known at `asOf`; restrictions always as of now.
    private func moment(_ asOf: AsOf?, _ request: Request) async throws -> PublicMoment {
        try await ReadYourWrites(log).wait(request.headers, model: PublicReader.model)
        guard let asOf else {
            let reached = log.position(of: PublicReader.model)
            return PublicMoment(known: reached, shown: reached)
        }
        let known = try await position(asOf)
        guard try await log.hasReached(known, model: PublicReader.model, within: .seconds(2)) else {
            throw ProblemDetails.unavailable(.modelBehind)
        }
        return PublicMoment(
            known: known, shown: log.position(of: PublicReader.model),
            guarded: try await log.position(beforeTheMonthOf: known))
    }

    private func position(_ asOf: AsOf) async throws -> Int64 {
        switch asOf {
        case .position(let given): return try given.resolved(against: try await log.head()).position
        case .time(let instant):
            try asOf.check(now: .now)
            return try await log.position(at: instant.date)
        }
    }
}
