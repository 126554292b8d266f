import Domain
import Forms
import HTTPTypes
import Hummingbird
import JSON
import Service
package import Web

/// A researcher's own exports: no other account sees them, and neither does a former researcher.
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

    /// The export that the path names, if it is the caller's own.
    private func export(_ context: APIContext) async throws -> ResearchExport {
        let account = try context.signedIn().accountID
        return try await exporting.export(try context.exportID(), of: account)
    }
}
