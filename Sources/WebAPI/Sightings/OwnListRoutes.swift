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
        let position = try await wait(request, account, after: cursor?.position ?? 0)
        let (found, total, reached) = try await lists.species(of: account, page, seeing: position)
        let items = Array(found.prefix(limit))
        let last = found.count > limit ? items.last : nil
        let next = try last.map {
            try OwnListCursor($0.listed.firstTo, $0.listed.species.uuid, shown: reached).token(scope, log)
        }
        return try answer(SpeciesPage(items: items, total: total, next: next), next, request, reached)
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
        let position = try await wait(request, account, after: cursor?.position ?? 0)
        let (found, hasMore, reached) = try await lists.visits(of: account, page, seeing: position)
        let next = try (hasMore ? found.last?.listed.visit : nil).map {
            try OwnListCursor($0.startedAt, $0.id.uuid, shown: reached).token(scope, log)
        }
        return try answer(Page(items: found, next: next), next, request, reached)
    }

    private func answer(
        _ page: some JSONRepresentable, _ next: String?, _ request: Request, _ reached: Int64
    ) throws -> Response {
        var headers = try HTTPFields(privateAt: reached, of: log)
        headers.link(next: next, of: request)
        return .json(JSONWriter.bytes(of: page), headers: headers)
    }

    private func wait(_ request: Request, _ account: AccountID, after shown: Int64) async throws -> Int64 {
        let reads = ReadYourWrites(log)
        let position = try await reads.wait(
            request.headers, model: OwnLists.model, account: account, after: shown)
        try await reads.wait([:], model: OwnLists.other, after: position)
        return position
    }

    private static let years = PlausibleTimes.earliestYear...9999

    private static func year(_ text: String) throws(RuleViolation) -> Int {
        guard text.utf8.count == 4, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let year = Int(text),
            years.contains(year)
        else { throw RuleViolation(.range, "must be a year from \(years.lowerBound) to \(years.upperBound)") }
        return year
    }
}
