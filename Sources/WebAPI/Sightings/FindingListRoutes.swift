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
        page.filter = query.recordFilter(accepting: [.kind, .from, .to], places)
        page.visit = query.optional("visit", VisitID.init(text:))
        let list = PagedList(
            "findings/\(account)",
            [page.filter.kind?.rawValue, page.filter.from?.description, page.filter.to?.description],
            later: page.visit?.description, log)
        let cursor: PagedList.Cursor<MomentKey>? = query.after(list)
        try query.finish()
        page.after = cursor?.key
        let asked = try await Asked(request.headers, of: account, after: cursor?.position, log)
        let found = try await findings.read(FindingReader.lists, asked) { [page] in
            try await $0.page(of: account, page)
        }
        return try list.page(
            found.value.slice, showing: found.value.position,
            headers: try HTTPFields(privateAt: found.position, of: log), for: request)
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
        let view = query.mapView(places)
        try query.finish()
        let asked = try await Asked(request.headers, of: account, log)
        let answer = try await findings.read(FindingReader.maps, asked) { try await $0.map(of: account, view) }
        let body = JSONWriter.bytes(of: FeatureCollection(answer: answer.value, names: TaxonSummaries(catalogue.names)))
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
        page.filter = query.recordFilter(accepting: [.kind, .region], places)
        let list = PagedList(
            "gallery/\(account)", [page.status?.rawValue, page.filter.kind?.rawValue, page.filter.region?.text], log)
        let cursor: PagedList.Cursor<MomentKey>? = query.after(list)
        try query.finish()
        page.after = cursor?.key
        let asked = try await Asked(request.headers, of: account, after: cursor?.position, log)
        let found = try await findings.read(FindingReader.galleries, asked) { [page] in
            try await $0.gallery(of: account, page)
        }
        return try list.page(
            found.value, showing: found.position, headers: try HTTPFields(privateAt: found.position, of: log),
            for: request)
    }
}
