import Domain
import Forms
import FoundationEssentials
import HTTPTypes
import Hummingbird
import JSON
import ReadModels
import Service
package import Web

/// Lists for a birder: sightings and photos, newest first, the history of a sighting, and the map.
package struct FindingListRoutes: RouteGroup {
    let findings: OwnReads
    let log: LogState
    let catalogue: Catalogue
    let places: PlaceIndex

    package var routes: [Route] {
        [
            Route(.get, "/v1/me/findings", .signedIn, reads: [.query, .position], list),
            Route(
                .get, "/v1/me/findings/{id}/history", .signedIn, reads: [.query, .position], problems: [.notFound],
                history),
            Route(.get, "/v1/me/map", .signedIn, reads: [.query, .position], map),
            Route(.get, "/v1/me/gallery", .signedIn, reads: [.query, .position], gallery),
        ]
    }

    private func list(_ request: Request, _ context: APIContext) async throws -> Response {
        let account = try context.signedIn().accountID
        var query = QueryReader(request)
        var page = FindingQueries.Page(limit: query.pageLimit())
        page.kind = query.optional("kind", TaxonKind.init(word:))
        page.from = query.optional("from", CivilDate.init(_:))
        page.to = query.optional("to", CivilDate.init(_:))
        page.visit = query.optional("visit", VisitID.init(text:))
        let scope = Self.scope(page, account)
        let cursor = query.optional("after") { (token) throws(RuleViolation) in
            try OwnListCursor(token, scope, log)
        }
        try query.finish()
        let asked = try await Asked(request.headers, of: account, after: cursor?.position ?? 0, log)
        let limit = page.limit
        page.limit = limit + 1
        page.after = cursor.map { FindingQueries.Page.Key(observedTo: $0.moment, id: SightingID($0.id)) }
        let found = try await findings.read(FindingReader.lists, asked) { [page] in
            try await $0.page(of: account, page)
        }
        let (rows, shown, _) = found.value
        let items = Array(rows.prefix(limit))
        let last = rows.count > limit ? items.last : nil
        let next = try last.map {
            try OwnListCursor($0.details.observed.to, $0.id.uuid, shown: shown).token(scope, log)
        }
        var headers = try HTTPFields(privateAt: found.position, of: log)
        headers.link(next: next, of: request)
        return .json(JSONWriter.bytes(of: Page(items: items, next: next)), headers: headers)
    }

    /// A cursor belongs to one account's list under one filter.
    private static func scope(_ page: FindingQueries.Page, _ account: AccountID) -> String {
        PageCursor.scope(
            "findings/\(account)",
            [page.kind?.rawValue, page.from?.description, page.to?.description]
                // Cursors do not expire: those from before this filter have no place for it.
                + (page.visit.map { [$0.description] } ?? []))
    }

    private func history(_ request: Request, _ context: APIContext) async throws -> Response {
        let account = try context.signedIn().accountID
        let id = try context.sightingID()
        try QueryReader.expectNone(in: request)
        let asked = try await Asked(request.headers, of: account, log)
        let changes = try await findings.read(FindingReader.histories, asked) {
            try await $0.history(of: id, for: .owner(account))
        }
        let entries = changes.value.map { HistoryEntry($0) }
        return .json(
            JSONWriter.bytes(of: WholeList(items: entries)),
            headers: try HTTPFields(privateAt: changes.position, of: log))
    }

    private func map(_ request: Request, _ context: APIContext) async throws -> Response {
        let account = try context.signedIn().accountID
        var query = QueryReader(request)
        let view = query.mapView()
        try query.finish()
        let asked = try await Asked(request.headers, of: account, log)
        let answer = try await findings.read(FindingReader.maps, asked) { try await $0.map(of: account, view) }
        let body = JSONWriter.bytes(of: FeatureCollection(answer: answer.value, names: catalogue.names))
        return .json(
            body, headers: try HTTPFields(privateAt: answer.position, of: log),
            contentType: FeatureCollection.contentType)
    }

    private func gallery(_ request: Request, _ context: APIContext) async throws -> Response {
        let account = try context.signedIn().accountID
        var query = QueryReader(request)
        var page = PhotoQueries.Page(limit: query.pageLimit())
        page.status = query.optional("status") { (word) throws(RuleViolation) in
            guard let status = PhotoStatus(rawValue: word), status != .deleted else {
                throw .vocabulary(PhotoStatus.allCases.filter { $0 != .deleted }.map(\.rawValue))
            }
            return status
        }
        page.kind = query.optional("kind", TaxonKind.init(word:))
        page.region = query.region(of: places)
        let scope = PageCursor.scope(
            "gallery/\(account)", [page.status?.rawValue, page.kind?.rawValue, page.region?.text])
        let cursor = query.optional("after") { (token) throws(RuleViolation) in
            try OwnListCursor(token, scope, log)
        }
        try query.finish()
        page.after = cursor.map { PhotoQueries.Page.Key(uploadedAt: $0.moment, id: PhotoID($0.id)) }
        let asked = try await Asked(request.headers, of: account, after: cursor?.position ?? 0, log)
        let found = try await findings.read(FindingReader.galleries, asked) { [page] in
            try await $0.gallery(of: account, page)
        }
        let next = try found.value.next.map {
            try OwnListCursor($0.uploadedAt, $0.id.uuid, shown: found.position).token(scope, log)
        }
        var headers = try HTTPFields(privateAt: found.position, of: log)
        headers.link(next: next, of: request)
        return .json(JSONWriter.bytes(of: Page(items: found.value.photos, next: next)), headers: headers)
    }
}
