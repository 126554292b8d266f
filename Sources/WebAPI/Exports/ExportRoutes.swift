import Domain
import Forms
import FoundationEssentials
import HTTPTypes
import Hummingbird
import JSON
import ReadModels
import Service
package import Web

/// Asking for exports, and how far they are.
package struct ExportRoutes: RouteGroup {
    let exports: ExportUseCases
    let log: LogState
    let vocabulary: FilterVocabulary

    package var routes: [Route] {
        [
            Route(
                .post, "/v1/exports", .signedIn, reads: [.body, .key],
                problems: [.gone, .rankTooHigh, .modelBehind, .exportRunning, .exportQuota, .notConfigured],
                scope: .read, request),
            Route(
                .get, "/v1/exports/{id}", .anyone, reads: [.query, .position, .tag],
                problems: [.notFound, .gone, .unavailable], export),
            Route(.get, "/v1/me/exports", .signedIn, reads: [.query, .position], list),
            Route(
                .delete, "/v1/me/exports/{id}", .signedIn, reads: [.key], problems: [.notFound], leave),
        ]
    }

    private func request(_ request: Request, _ context: APIContext) async throws -> Response {
        let account = try context.signedIn().accountID
        let key = try IdempotencyKey(request.headers)
        let wanted = try await ExportRequest(try await request.json(), vocabulary, lastDay: log.lastDay)
        let accepted = try await exports.service.request(wanted, by: account, key: key.uuid)
        let asked = Asked(position: accepted.position, of: account)
        let view = try await exports.downloads.view(of: accepted.id, asked)
        var headers: HTTPFields = [.location: "/v1/exports/\(accepted.id)"]
        try headers.tell(position: accepted.position, of: log)
        if view.value.isUnfinished { headers[.retryAfter] = "\(view.value.wait)" }
        return .json(
            JSONWriter.bytes(of: view.value), status: accepted.isNew ? .accepted : .ok, headers: headers)
    }

    /// Caches keep none: bytes leave the store, and restrictions touch them, at any time.
    private func export(_ request: Request, _ context: APIContext) async throws -> Response {
        let id = try context.exportID()
        try QueryReader.expectNone(in: request)
        let found = try await exports.downloads.view(of: id, try await Asked(request.headers, log))
        var headers = try HTTPFields(reflecting: found, of: log)
        if found.value.isUnfinished { headers[.retryAfter] = "\(found.value.wait)" }
        return try .publicRepresentation(
            JSONWriter.bytes(of: found.value), for: request, headers: headers, caching: .noStore)
    }

    private func list(_ request: Request, _ context: APIContext) async throws -> Response {
        let account = try context.signedIn().accountID
        var query = QueryReader(request)
        var page = ExportQueries.Page(limit: query.pageLimit())
        let list = PagedList("exports/\(account)", [], log)
        let cursor: PagedList.Cursor<MomentKey>? = query.after(list)
        try query.finish()
        page.after = cursor?.key
        let asked = try await Asked(request.headers, of: account, after: cursor?.position, log)
        let found = try await exports.reader.exports(of: account, page, asked)
        return try list.page(
            found.value, showing: found.position, headers: try HTTPFields(privateAt: found.position, of: log),
            for: request)
    }

    private func leave(_ request: Request, _ context: APIContext) async throws -> Response {
        let account = try context.signedIn().accountID
        let key = try IdempotencyKey(request.headers)
        let position = try await exports.service.leave(try context.exportID(), by: account, key: key.uuid)
        var headers: HTTPFields = [:]
        try headers.tell(position: position, of: log)
        return Response(status: .noContent, headers: headers)
    }
}

extension APIContext {
    /// The export that the path names.
    /// - Throws: 404 for what is no id.
    func exportID() throws(ProblemDetails) -> ExportID {
        guard let id = parameters.get("id").flatMap(ExportID.init) else { throw ProblemDetails(.notFound) }
        return id
    }
}
