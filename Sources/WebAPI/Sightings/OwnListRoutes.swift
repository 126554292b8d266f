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
        page.filter = query.recordFilter(accepting: [.kind, .region], places)
        page.year = query.optional("year", Self.year)
        let list = PagedList(
            "species/\(account)", [page.filter.kind?.rawValue, page.year?.description, page.filter.region?.text], log)
        let cursor: PagedList.Cursor<MomentKey>? = query.after(list)
        try query.finish()
        page.after = cursor?.key
        let asked = try await Asked(request.headers, of: account, after: cursor?.position, log)
        let found = try await lists.species(of: account, page, asked)
        return try list.page(
            found.value.slice, showing: found.position, headers: try HTTPFields(privateAt: found.position, of: log),
            for: request
        ) { SpeciesPage($0.items, total: found.value.total, next: $0.next) }
    }

    private func visits(_ request: Request, _ context: APIContext) async throws -> Response {
        let account = try context.signedIn().accountID
        var query = QueryReader(request)
        var page = VisitQueries.Page(limit: query.pageLimit())
        let list = PagedList("visits/\(account)", [], log)
        let cursor: PagedList.Cursor<MomentKey>? = query.after(list)
        try query.finish()
        page.after = cursor?.key
        let asked = try await Asked(request.headers, of: account, after: cursor?.position, log)
        let found = try await lists.visits(of: account, page, asked)
        return try list.page(
            found.value, showing: found.position, headers: try HTTPFields(privateAt: found.position, of: log),
            for: request)
    }

    private static let years = PlausibleTimes.earliestYear...9999

    private static func year(_ text: String) throws(RuleViolation) -> Int {
        guard text.utf8.count == 4, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let year = Int(text),
            years.contains(year)
        else { throw RuleViolation(.range, "must be a year from \(years.lowerBound) to \(years.upperBound)") }
        return year
    }
}
