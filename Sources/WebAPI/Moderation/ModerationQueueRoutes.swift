import Domain
import FoundationEssentials
import HTTPTypes
import Hummingbird
import JSON
import ReadModels
import Service
package import Web

/// The moderators' queue, and their claims on its items.
package struct ModerationQueueRoutes: RouteGroup {
    /// Items that one request may claim.
    static let claimed = 1...50

    let queue: ModerationQueue
    let places: PlaceIndex
    let log: LogState

    package var routes: [Route] {
        [
            Route(.get, "/v1/moderation/queue", .moderators, reads: [.query, .position], list),
            Route(.post, "/v1/moderation/claims", .moderators, reads: [.body], problems: [.modelBehind], claim),
            Route(.delete, "/v1/moderation/claims", .moderators, release),
        ]
    }

    private func list(_ request: Request, _ context: APIContext) async throws -> Response {
        let moderator = try context.signedIn().accountID
        var query = QueryReader(request)
        var page = ModerationQueries.Page(moderator: moderator, now: log.now(), limit: query.pageLimit())
        page.subject = query.optional("subject", ReviewItem.Subject.init(word:))
        let filter = query.recordFilter(accepting: [.region, .taxon, .kind, .from, .to], places)
        (page.regions, page.taxa) = (filter.region.map { [$0] } ?? [], filter.taxon.map { [$0] } ?? [])
        (page.kind, page.from, page.to) = (filter.kind, filter.from, filter.to)
        let isOfAll = query.optional("scope", QueueScope.init(word:)) == .all
        let list = PagedList(
            "queue\(isOfAll ? "-of-all" : "")/\(moderator)",
            [
                page.subject?.rawValue, filter.region?.text, filter.taxon?.description, filter.kind?.rawValue,
                filter.from?.description, filter.to?.description,
            ], log)
        page.after = query.after(list)?.key
        try query.finish()
        let asked = try await Asked(request.headers, of: moderator, log)
        let entries = try await queue.page(page, isOfInterest: !isOfAll, asked)
        return try list.page(entries, showing: 0, headers: [:], for: request)
    }

    private func claim(_ request: Request, _ context: APIContext) async throws -> Response {
        let moderator = try context.signedIn().accountID
        var body = JSONObjectReader(try await request.json())
        let limit = body.required("limit", Int.self) { (number) throws(RuleViolation) in
            guard Self.claimed.contains(number) else { throw .wholeNumber(Self.claimed) }
            return number
        }
        let subject = body.optional("subject", String.self, ReviewItem.Subject.init(word:))
        let taxon = body.optional("taxonId", String.self, TaxonID.init(text:))
        let observer = body.optional("observerId", String.self, ObserverID.init(text:))
        let day = body.optional("day", String.self, CivilDate.init(_:))
        try body.finish()
        var page = ModerationQueries.Page(moderator: moderator, now: log.now(), limit: limit ?? 1)
        page.subject = subject
        page.taxa = taxon.map { [$0] } ?? []
        page.observer = observer
        (page.from, page.to) = (day, day)
        let entries = try await queue.claim(page, try await Asked(request.headers, of: moderator, log))
        return .json(JSONWriter.bytes(of: WholeList(items: entries)))
    }

    private func release(_ request: Request, _ context: APIContext) async throws -> Response {
        try await queue.release(of: try context.signedIn().accountID)
        return Response(status: .noContent)
    }
}

/// The part of the queue that is listed when neither a region nor a taxon is named.
private enum QueueScope: String, Vocabulary {
    /// The regions and taxa that the moderator usually works on.
    case own
    case all
}
