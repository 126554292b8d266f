import Domain
import Forms
import HTTPTypes
import Hummingbird
import JSON
import Service
package import Web

/// The regions and taxa that a moderator usually works on.
package struct ModeratorRoutes: RouteGroup {
    /// The number of regions.
    private static let regions = 0...50
    /// The number of taxa.
    private static let taxa = 0...100

    let queue: ModerationQueue

    package var routes: [Route] {
        [
            Route(.get, "/v1/moderation/me", .moderators, reads: [.query], interests),
            Route(.put, "/v1/moderation/me", .moderators, reads: [.body], set),
        ]
    }

    private func interests(_ request: Request, _ context: APIContext) async throws -> Response {
        try QueryReader.expectNone(in: request)
        return answer(try await queue.interests(of: try context.signedIn().accountID))
    }

    private func set(_ request: Request, _ context: APIContext) async throws -> Response {
        let moderator = try context.signedIn().accountID
        var body = JSONObjectReader(try await request.json())
        let regions = body.words("regions", count: Self.regions) { (text) throws(RuleViolation) in
            try RegionCode(text)
        }
        let taxa = body.words("taxa", count: Self.taxa) { (text) throws(RuleViolation) in try TaxonID(text: text) }
        try body.finish()
        guard let regions, let taxa else { throw body.faults }
        let interests = ModeratorInterests(regions: regions, taxa: taxa)
        try await queue.set(interests, of: moderator)
        return answer(interests)
    }

    private func answer(_ interests: ModeratorInterests) -> Response {
        .json(
            JSONWriter.bytes(of: InterestsView(interests: interests)))
    }
}
