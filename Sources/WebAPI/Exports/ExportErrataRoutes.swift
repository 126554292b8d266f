import Domain
import Forms
import HTTPTypes
import Hummingbird
import JSON
import ReadModels
import Service
package import Web

/// The differences between an export and the same filter as of a later day.
package struct ExportErrataRoutes: RouteGroup {
    let exports: ExportUseCases
    let log: LogState

    package var routes: [Route] {
        [
            Route(
                .get, "/v1/exports/{id}/errata", .anyone, reads: [.query, .asOf, .position, .tag],
                problems: [.notFound, .conflict, .gone, .unavailable], errata)
        ]
    }

    private func errata(_ request: Request, _ context: APIContext) async throws -> Response {
        let id = try context.exportID()
        var query = QueryReader(request)
        let limit = query.pageLimit()
        let day = query.asOf()
        let list = PagedList("exports/\(id)/errata", [day?.description], log)
        let cursor: PagedList.Cursor<SightingID>? = query.after(list)
        try query.finish(asOf: day, log)
        let asked = try await Asked(request.headers, asOf: day, log)
        do {
            let found = try await exports.errata.errata(
                of: id, asOf: day, ErrataReader.Page(limit: limit, after: cursor?.key), position: asked.position)
            return try list.page(found.shown, for: request) { ErrataPage(page: $0, day: found.day) }
        } catch is ErrataTooEarly {
            query.note("asOf", RuleViolation(.range, "must not be before the day of the export"))
            try query.finish()
            throw ProblemDetails(.badRequest)
        }
    }
}

/// A page of differences, and the day at whose end they are as of.
private struct ErrataPage: JSONRepresentable {
    let page: Page<Erratum>
    let day: CivilDate

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("items", page.items)
            writer.field("next", page.next)
            writer.field("asOf", day)
        }
    }
}
