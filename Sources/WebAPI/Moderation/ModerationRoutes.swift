import Domain
import FoundationEssentials
import HTTPTypes
import Hummingbird
import JSON
import ReadModels
import Service
package import Web

/// Moderators' routes: single sightings and photos, and the decisions on them.
package struct ModerationRoutes: RouteGroup {
    let moderation: ModerationService
    let webPs: ConversionCache
    let log: LogState

    package var routes: [Route] {
        let decided: Set<ProblemType> = [
            .notFound, .withdrawn, .gone, .ownRecord, .otherModeratorRequired, .claimed,
        ]
        return [
            Route(
                .get, "/v1/moderation/sightings/{id}", .moderators, reads: [.query, .tag],
                problems: [.notFound, .gone], sighting),
            Route(
                .post, "/v1/moderation/sightings/{id}/decisions", .moderators, reads: [.body, .key, .version],
                problems: decided.union([.modelBehind]), judgeSighting),
            Route(
                .get, "/v1/moderation/photos/{id}", .moderators, reads: [.query, .tag], problems: [.notFound, .gone],
                photo),
            Route(
                .get, "/v1/moderation/photos/{id}/{rendition}", .moderators, reads: [.query, .tag],
                problems: [.notFound, .gone, .rangeNotSatisfiable], file),
            Route(
                .post, "/v1/moderation/photos/{id}/decisions", .moderators, reads: [.body, .key, .version],
                problems: decided, judgePhoto),
        ]
    }

    private func sighting(_ request: Request, _ context: APIContext) async throws -> Response {
        try QueryReader.expectNone(in: request)
        let sighting = try await moderation.sighting(
            try context.sightingID(), for: try context.signedIn().accountID)
        return try .review(of: sighting, for: request, log)
    }

    private func photo(_ request: Request, _ context: APIContext) async throws -> Response {
        try QueryReader.expectNone(in: request)
        let photo = try await moderation.photo(try context.photoID(), for: try context.signedIn().accountID)
        return try .review(of: photo, for: request, log)
    }

    private func file(_ request: Request, _ context: APIContext) async throws -> Response {
        try QueryReader.expectNone(in: request)
        let file = try await moderation.file(
            try context.photoID(), try context.photoVersion(), for: try context.signedIn().accountID)
        return try await .photo(file, webPs, for: request, .privateNoStore)
    }

    private func judgeSighting(_ request: Request, _ context: APIContext) async throws -> Response {
        let change = try ChangeHeaders(request, context)
        var body = JSONObjectReader(try await request.json())
        let verdict: ModerationService.Verdict<SightingReason> = try body.verdict()
        let sighting = try await moderation.judge(
            try context.sightingID(), verdict, ifVersions: change.versions, by: change.account, key: change.key)
        return try .review(of: sighting, for: request, log)
    }

    private func judgePhoto(_ request: Request, _ context: APIContext) async throws -> Response {
        let change = try ChangeHeaders(request, context)
        var body = JSONObjectReader(try await request.json())
        let verdict: ModerationService.Verdict<PhotoReason> = try body.verdict()
        let photo = try await moderation.judge(
            try context.photoID(), verdict, ifVersions: change.versions, by: change.account, key: change.key)
        return try .review(of: photo, for: request, log)
    }
}

extension JSONObjectReader {
    /// Reads `decision`, `reasons` and `note`, the last members of an object.
    /// - Throws: `Faults`, also those of members read before.
    mutating func verdict<Reason>() throws(Faults) -> ModerationService.Verdict<Reason> {
        let decision = required("decision", String.self) { (word) throws(RuleViolation) in
            try ReviewDecision(word: word)
        }
        let reasons =
            contains("reasons")
            ? words("reasons", count: 0...Reason.allCases.count) { (word) throws(RuleViolation) in
                try Reason(word: word)
            } : []
        let note = optional("note", String.self) { (text) throws(RuleViolation) in try Remarks(text) }
        try finish()
        guard let decision, let reasons else { throw faults }
        return ModerationService.Verdict(decision: decision, reasons: reasons, note: note)
    }
}

extension Response {
    /// A sighting as moderators see it.
    static func review(of sighting: ReviewedSighting, for request: Request, _ log: LogState) throws -> Response {
        try own(sighting, version: sighting.finding.version, position: sighting.finding.position, request, log)
    }

    /// A photo as moderators see it.
    static func review(of photo: ReviewedPhoto, for request: Request, _ log: LogState) throws -> Response {
        try own(photo, version: photo.photo.version, position: photo.photo.position, request, log)
    }

    /// A sighting as its owner sees it.
    static func finding(_ finding: Finding, for request: Request, _ log: LogState) throws -> Response {
        try own(finding, version: finding.version, position: finding.position, request, log)
    }

    private static func own(
        _ value: some JSONRepresentable, version: Int, position: Int64, _ request: Request, _ log: LogState
    ) throws -> Response {
        var headers: HTTPFields = [:]
        try headers.tell(position: position, of: log)
        return try ownRepresentation(JSONWriter.bytes(of: value), version: version, for: request, headers: headers)
    }
}
