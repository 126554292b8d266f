import Domain
import Forms
import HTTPTypes
import Hummingbird
import JSON
import Service
package import Web

/// Exports of a researcher's own: no other account sees them, and a former researcher does not either.
package struct ResearchExportRoutes: RouteGroup {
    let exporting: ResearchExporting
    let log: LogState
    let vocabulary: FilterVocabulary

    private static let path = "/v1/research/exports"

    package var routes: [Route] {
        [
            Route(
                .post, Self.path, .researchers, reads: [.body, .key],
                problems: [.rankTooHigh, .exportQuota, .modelBehind], request),
            Route(.get, Self.path, .researchers, reads: [.query], list),
            Route(.get, Self.path + "/{id}", .researchers, reads: [.query], problems: [.notFound], export),
            Route(
                .get, Self.path + "/{id}/data", .researchers, reads: [.query], problems: [.notFound, .modelBehind],
                data),
            Route(
                .get, Self.path + "/{id}/diff", .researchers, reads: [.query, .position],
                problems: [.notFound, .conflict, .gone, .exportRestricted, .unavailable], diff),
        ]
    }

    private func request(_ request: Request, _ context: APIContext) async throws -> Response {
        let account = try context.signedIn().accountID
        let key = try IdempotencyKey(request.headers)
        let wanted = try await ResearchExportRequest(try await request.json(), vocabulary, lastDay: log.lastDay)
        let (export, isNew) = try await exporting.request(wanted, by: account, key: key.uuid)
        return .json(
            JSONWriter.bytes(of: try ResearchExportView(export)), status: isNew ? .created : .ok,
            headers: [.location: "\(Self.path)/\(export.id)"])
    }

    private func list(_ request: Request, _ context: APIContext) async throws -> Response {
        try QueryReader.expectNone(in: request)
        let exports = try await exporting.exports(of: try context.signedIn().accountID)
        return .json(JSONWriter.bytes(of: WholeList(items: try exports.map { try ResearchExportView($0) })))
    }

    private func export(_ request: Request, _ context: APIContext) async throws -> Response {
        try QueryReader.expectNone(in: request)
        return .json(JSONWriter.bytes(of: try ResearchExportView(try await export(context))))
    }

    private func data(_ request: Request, _ context: APIContext) async throws -> Response {
        try QueryReader.expectNone(in: request)
        let export = try await export(context)
        let found = try await exporting.stream(export)
        var headers = try HTTPFields(reflecting: found.moment, of: log)
        headers[.contentType] = export.contentType
        headers[.contentDisposition] = "attachment; filename=\"\(export.fileName)\""
        return SightingStreamRoutes.response(headers, context, caching: .privateNoStore) { [exporting] write in
            try await exporting.write(export, found, to: write)
        }
    }

    private func diff(_ request: Request, _ context: APIContext) async throws -> Response {
        let account = try context.signedIn().accountID
        let id = try context.exportID()
        var query = QueryReader(request)
        let other = query.required("with", ExportID.init(text:))
        let limit = query.pageLimit()
        let list = PagedList("research/exports/\(id)/diff", [other?.description], log)
        let cursor: PagedList.Cursor<RangeDiffPage.Key>? = query.after(list)
        try query.finish()
        guard let other else { throw ProblemDetails(.badRequest) }
        let asked = try await Asked(request.headers, after: cursor?.position, log)
        let found = try await exporting.differences(
            of: id, with: other, RangeDiffPage(limit: limit, after: cursor?.key), by: account,
            position: asked.position)
        return try list.page(
            found.value, showing: found.position, headers: try HTTPFields(reflecting: found, of: log), for: request)
    }

    /// The export that the path names, if it is the caller's own.
    private func export(_ context: APIContext) async throws -> ResearchExport {
        let account = try context.signedIn().accountID
        return try await exporting.export(try context.exportID(), of: account)
    }
}
