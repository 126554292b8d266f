import Domain
import Forms
import HTTPTypes
import Hummingbird
import JSON
import ReadModels
import Service
package import Web

/// The species that a birder has found, and the birder's outings.
package struct OwnListRoutes: RouteGroup {
    let lists: OwnLists
    let places: PlaceIndex
    let log: LogState

    package var routes: [Route] {
        [
            Route(.get, "/v1/me/species", .signedIn, reads: [.query, .position], species),
            Route(.get, "/v1/me/visits", .signedIn, reads: [.query, .position], visits),
        ]
    }

    private func species(_ request: Request, _ context: APIContext) async throws -> Response {
        let account = try context.signedIn().accountID
        var query = QueryReader(request)
        var page = SpeciesQueries.Page(limit: query.pageLimit())
        page.kind = query.optional("kind", TaxonKind.init(word:))
        page.year = query.optional("year", Self.year)
        page.region = query.region(of: places)
        let scope = PageCursor.scope(
            "species/\(account)", [page.kind?.rawValue, page.year?.description, page.region?.text])
        let cursor = query.optional("after") { (token) throws(RuleViolation) in
            try OwnListCursor(token, scope, log)
        }
        try query.finish()
        let limit = page.limit
        page.limit = limit + 1
        page.after = cursor.map { SpeciesQueries.Page.Key(firstTo: $0.moment, species: TaxonID($0.id)) }
        let asked = try await Asked(request.headers, of: account, after: cursor?.position ?? 0, log)
        let found = try await lists.species(of: account, page, asked)
        let items = Array(found.value.species.prefix(limit))
        let last = found.value.species.count > limit ? items.last : nil
        let next = try last.map {
            try OwnListCursor($0.listed.firstTo, $0.listed.species.uuid, shown: found.position).token(scope, log)
        }
        return try answer(
            SpeciesPage(items: items, total: found.value.total, next: next), next, request, found.position)
    }

    private func visits(_ request: Request, _ context: APIContext) async throws -> Response {
        let account = try context.signedIn().accountID
        var query = QueryReader(request)
        var page = VisitQueries.Page(limit: query.pageLimit())
        let scope = PageCursor.scope("visits/\(account)", [])
        let cursor = query.optional("after") { (token) throws(RuleViolation) in
            try OwnListCursor(token, scope, log)
        }
        try query.finish()
        page.after = cursor.map { VisitQueries.Page.Key(startedAt: $0.moment, id: VisitID($0.id)) }
        let asked = try await Asked(request.headers, of: account, after: cursor?.position ?? 0, log)
        let found = try await lists.visits(of: account, page, asked)
        let (visits, hasMore) = found.value
        let next = try (hasMore ? visits.last?.listed.visit : nil).map {
            try OwnListCursor($0.startedAt, $0.id.uuid, shown: found.position).token(scope, log)
        }
        return try answer(Page(items: visits, next: next), next, request, found.position)
    }

    private func answer(
        _ page: some JSONRepresentable, _ next: String?, _ request: Request, _ reached: Int64
    ) throws -> Response {
        var headers = try HTTPFields(privateAt: reached, of: log)
        headers.link(next: next, of: request)
        return .json(JSONWriter.bytes(of: page), headers: headers)
    }

    private static let years = PlausibleTimes.earliestYear...9999

    private static func year(_ text: String) throws(RuleViolation) -> Int {
        guard text.utf8.count == 4, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let year = Int(text),
            years.contains(year)
        else { throw RuleViolation(.range, "must be a year from \(years.lowerBound) to \(years.upperBound)") }
        return year
    }
}
