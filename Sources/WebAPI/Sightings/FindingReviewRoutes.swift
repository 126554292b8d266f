import Domain
import HTTPTypes
import Hummingbird
import JSON
import Service
package import Web

/// The owner's part in the review of a sighting: identifications, answers, appeals, and the order of its photos.
package struct FindingReviewRoutes: RouteGroup {
    /// The most photos that a sighting shows.
    private static let photos = 0...10

    let sightings: SightingService
    let log: LogState

    package var routes: [Route] {
        let path = "/v1/me/findings/{id}"
        let problems: Set<ProblemType> = [.notFound, .withdrawn, .gone]
        return [
            Route(
                .post, path + "/identifications", .signedIn, reads: [.body, .key], problems: problems, identify),
            Route(
                .post, path + "/answers", .signedIn, reads: [.body, .key],
                problems: problems.union([.nothingOpen]), answerQuestion),
            Route(
                .post, path + "/appeals", .signedIn, reads: [.body, .key],
                problems: problems.union([.nothingOpen]), appeal),
            Route(
                .put, path + "/photos", .signedIn, reads: [.body, .key, .version], problems: problems, orderPhotos),
        ]
    }

    private func identify(_ request: Request, _ context: APIContext) async throws -> Response {
        let change = try ChangeHeaders(request, context, isVersioned: false)
        let identification = try IdentificationRequest(try await request.json())
        let finding = try await sightings.identify(
            try context.sightingID(), identification, by: change.account, key: change.key)
        return try .finding(finding, for: request, log)
    }

    private func answerQuestion(_ request: Request, _ context: APIContext) async throws -> Response {
        let change = try ChangeHeaders(request, context, isVersioned: false)
        let text = try Self.text(try await request.json())
        let finding = try await sightings.answer(
            try context.sightingID(), text, by: change.account, key: change.key)
        return try .finding(finding, for: request, log)
    }

    private func appeal(_ request: Request, _ context: APIContext) async throws -> Response {
        let change = try ChangeHeaders(request, context, isVersioned: false)
        let text = try Self.text(try await request.json())
        let finding = try await sightings.appeal(
            try context.sightingID(), text, by: change.account, key: change.key)
        return try .finding(finding, for: request, log)
    }

    private func orderPhotos(_ request: Request, _ context: APIContext) async throws -> Response {
        let change = try ChangeHeaders(request, context)
        var body = JSONObjectReader(try await request.json())
        let ids = body.words("ids", count: Self.photos) { (text) throws(RuleViolation) in try PhotoID(text: text) }
        try body.finish()
        guard let ids else { throw body.faults }
        let finding = try await sightings.order(
            ids, of: try context.sightingID(), ifVersions: change.versions, by: change.account, key: change.key)
        return try .finding(finding, for: request, log)
    }

    /// Reads `{text}`.
    private static func text(_ json: JSONValue) throws -> Remarks {
        var body = JSONObjectReader(json)
        let text = body.required("text", String.self) { (text) throws(RuleViolation) in try Remarks(text) }
        try body.finish()
        guard let text else { throw body.faults }
        return text
    }
}
