import Domain
import FoundationEssentials
import HTTPTypes
import Hummingbird
import JSON
import ReadModels
import Service

/// One's own sightings as lists: newest first, one's life of changes, and the map.
package struct FindingListRoutes: RouteGroup {
    let findings: FindingReader
    let log: LogState
    let catalogue: Catalogue

    package var routes: [Route] {
        [
            Route(.get, "/v1/me/findings", .signedIn, reads: [.query, .position], list),
            Route(
                .get, "/v1/me/findings/{id}/history", .signedIn, reads: [.query, .position], problems: [.notFound],
                history),
            Route(.get, "/v1/me/map", .signedIn, reads: [.query, .position], map),
        ]
    }

    private func list(_ request: Request, _ context: APIContext) async throws -> Response {
        let account = try context.signedIn().accountID
        var query = QueryReader(request)
        var page = FindingQueries.Page(limit: query.pageLimit())
        page.kind = query.optional("kind", TaxonKind.init(word:))
        page.from = query.optional("from", CivilDate.init(_:))
        page.to = query.optional("to", CivilDate.init(_:))
        let scope = Self.scope(page, account)
        page.after = query.optional("after") { (token) throws(RuleViolation) in try key(token, scope) }
        try query.finish()
        try await ReadYourWrites(log).wait(request.headers, model: FindingReader.model, account: account)
        let limit = page.limit
        page.limit += 1
        let found = try await findings.page(of: account, page)
        let shown = found.prefix(limit)
        let next = found.count > limit ? try shown.last.map { try cursor($0, scope) } : nil
        var headers = try privateHeaders()
        headers.link(next: next, of: request)
        return .json(JSONWriter.bytes(of: Page(items: Array(shown), next: next)), headers: headers)
    }

    /// A cursor belongs to one account's list under one filter.
    private static func scope(_ page: FindingQueries.Page, _ account: AccountID) -> String {
        let filter = [page.kind?.rawValue, page.from?.description, page.to?.description].map { $0 ?? "" }
        return "findings/\(account)/" + filter.joined(separator: "/")
    }

    private func cursor(_ finding: Finding, _ scope: String) throws -> String {
        let end = finding.details.observed.to.microsecondsSince1970
        return try PageCursor([.integer(end), .uuid(finding.id.uuid)])
            .token(scope: scope, sealedBy: log.cursors, at: log.now())
    }

    private func key(_ token: String, _ scope: String) throws(RuleViolation) -> FindingQueries.Page.Key {
        let cursor = try PageCursor(token: token, scope: scope, sealedBy: log.cursors)
        guard cursor.parts.count == 2, case .integer(let time) = cursor.parts[0], case .uuid(let id) = cursor.parts[1],
            Instant.written.contains(Instant(microsecondsSince1970: time))
        else { throw RuleViolation(.format, "must be the cursor that an earlier page of the same query gave") }
        return FindingQueries.Page.Key(
            observedTo: Instant(microsecondsSince1970: time), id: SightingID(id))
    }

    private func history(_ request: Request, _ context: APIContext) async throws -> Response {
        let account = try context.signedIn().accountID
        let id = try context.sightingID()
        try QueryReader.expectNone(in: request)
        try await ReadYourWrites(log).wait(request.headers, model: FindingReader.model, account: account)
        let changes = try await findings.history(of: id, by: account)
        let entries = try changes.map(HistoryEntryView.init)
        return .json(JSONWriter.bytes(of: WholeList(items: entries)), headers: try privateHeaders())
    }

    private func map(_ request: Request, _ context: APIContext) async throws -> Response {
        let account = try context.signedIn().accountID
        var query = QueryReader(request)
        let view = query.mapView()
        try query.finish()
        try await ReadYourWrites(log).wait(request.headers, model: FindingReader.model, account: account)
        let answer = try await findings.queries.map(of: account, view)
        let body = JSONWriter.bytes(of: FeatureCollection(answer: answer, names: catalogue.names))
        return .json(body, headers: try privateHeaders(), contentType: FeatureCollection.contentType)
    }

    private func privateHeaders() throws -> HTTPFields {
        var headers: HTTPFields = [.cacheControl: CachePolicy.privateNoStore.rawValue]
        try headers.tell(position: log.position(of: FindingReader.model), of: log)
        return headers
    }
}
