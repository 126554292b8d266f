import Domain
import FoundationEssentials
import HTTPTypes
import Hummingbird
import JSON
import ReadModels
import Service

/// One's own sightings as lists: newest first, one's life of changes, and the map.
package struct FindingListRoutes: RouteGroup {
    let findings: OwnReads
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
        let cursor = query.optional("after") { (token) throws(RuleViolation) in
            try FindingCursor(token, scope, log)
        }
        try query.finish()
        let position = try await wait(request, account, after: cursor?.position ?? 0)
        let limit = page.limit
        (page.limit, page.after) = (limit + 1, cursor?.key)
        let (found, shown, reached) = try await findings.read(seeing: position) { [page] reader, reached in
            let (found, shown) = try await reader.page(of: account, page)
            return (found, shown, reached)
        }
        let items = Array(found.prefix(limit))
        let last = found.count > limit ? items.last : nil
        let next = try last.map { try FindingCursor($0, shown: shown).token(scope, log) }
        var headers = try privateHeaders(reached)
        headers.link(next: next, of: request)
        return .json(JSONWriter.bytes(of: Page(items: items, next: next)), headers: headers)
    }

    /// A cursor belongs to one account's list under one filter.
    private static func scope(_ page: FindingQueries.Page, _ account: AccountID) -> String {
        let filter = [page.kind?.rawValue, page.from?.description, page.to?.description].map { $0 ?? "" }
        return "findings/\(account)/" + filter.joined(separator: "/")
    }

    private func history(_ request: Request, _ context: APIContext) async throws -> Response {
        let account = try context.signedIn().accountID
        let id = try context.sightingID()
        try QueryReader.expectNone(in: request)
        let (changes, reached) = try await findings.read(seeing: try await wait(request, account)) { reader, reached in
            (try await reader.history(of: id, by: account), reached)
        }
        let entries = try changes.map(HistoryEntryView.init)
        return .json(JSONWriter.bytes(of: WholeList(items: entries)), headers: try privateHeaders(reached))
    }

    private func map(_ request: Request, _ context: APIContext) async throws -> Response {
        let account = try context.signedIn().accountID
        var query = QueryReader(request)
        let view = query.mapView()
        try query.finish()
        let (answer, reached) = try await findings.read(seeing: try await wait(request, account)) { reader, reached in
            (try await reader.map(of: account, view), reached)
        }
        let body = JSONWriter.bytes(of: FeatureCollection(answer: answer, names: catalogue.names))
        return .json(body, headers: try privateHeaders(reached), contentType: FeatureCollection.contentType)
    }

    private func wait(_ request: Request, _ account: AccountID, after shown: Int64 = 0) async throws -> Int64 {
        let position = try await ReadYourWrites(log).wait(
            request.headers, model: FindingReader.model, account: account, after: shown)
        try await ReadYourWrites(log).wait([:], model: OwnedPhotos.model, after: position)
        return position
    }

    private func privateHeaders(_ reached: Int64) throws -> HTTPFields {
        var headers: HTTPFields = [.cacheControl: CachePolicy.privateNoStore.rawValue]
        try headers.tell(position: reached, of: log)
        return headers
    }
}

/// The end of a page of findings.
private struct FindingCursor {
    let key: FindingQueries.Page.Key
    /// The position of the page. On a server that has not reached it, the next page could repeat or omit findings.
    let position: Int64

    init(_ last: Finding, shown position: Int64) {
        key = FindingQueries.Page.Key(observedTo: last.details.observed.to, id: last.id)
        self.position = position
    }

    init(_ token: String, _ scope: String, _ log: LogState) throws(RuleViolation) {
        let cursor = try PageCursor(token: token, scope: scope, sealedBy: log.cursors)
        guard cursor.parts.count == 4, case .integer(let time) = cursor.parts[0], case .uuid(let id) = cursor.parts[1],
            case .integer(let epoch) = cursor.parts[2], case .integer(let position) = cursor.parts[3],
            Instant.written.contains(Instant(microsecondsSince1970: time))
        else { throw RuleViolation(.format, "must be the cursor that an earlier page of the same query gave") }
        key = FindingQueries.Page.Key(observedTo: Instant(microsecondsSince1970: time), id: SightingID(id))
        // In another epoch, the position belongs to another event, if any.
        self.position = epoch == log.epoch ? position : 0
    }

    func token(_ scope: String, _ log: LogState) throws -> String {
        let time = key.observedTo.microsecondsSince1970
        return try PageCursor([.integer(time), .uuid(key.id.uuid), .integer(log.epoch), .integer(position)])
            .token(scope: scope, sealedBy: log.cursors, at: log.now())
    }
}
