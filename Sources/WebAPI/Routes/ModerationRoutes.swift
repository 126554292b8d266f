import Domain
import FoundationEssentials
import HTTPTypes
import Hummingbird
import JSON
import ReadModels
import Service

/// Moderators' routes: single sightings and photos, and the decisions about them.
package struct ModerationRoutes: RouteGroup {
    let moderation: ModerationService
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
                problems: decided, judgeSighting),
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
        return try answer(sighting, to: request)
    }

    private func photo(_ request: Request, _ context: APIContext) async throws -> Response {
        try QueryReader.expectNone(in: request)
        return try answer(try await moderation.photo(try context.photoID()), to: request)
    }

    private func file(_ request: Request, _ context: APIContext) async throws -> Response {
        try QueryReader.expectNone(in: request)
        let file = try await moderation.file(try context.photoID(), try context.photoVersion())
        return try await .photo(file, for: request, .privateNoStore)
    }

    private func judgeSighting(_ request: Request, _ context: APIContext) async throws -> Response {
        let moderator = try context.signedIn().accountID
        let id = try context.sightingID()
        let key = try IdempotencyKey(request.headers)
        let versions = try ExpectedVersion(request.headers).versions
        let verdict: ModerationService.Verdict<SightingReason> = try Self.verdict(try await request.json())
        let sighting = try await moderation.judge(id, verdict, ifVersions: versions, by: moderator, key: key.uuid)
        return try answer(sighting, to: request)
    }

    private func judgePhoto(_ request: Request, _ context: APIContext) async throws -> Response {
        let moderator = try context.signedIn().accountID
        let id = try context.photoID()
        let key = try IdempotencyKey(request.headers)
        let versions = try ExpectedVersion(request.headers).versions
        let verdict: ModerationService.Verdict<PhotoReason> = try Self.verdict(try await request.json())
        let photo = try await moderation.judge(id, verdict, ifVersions: versions, by: moderator, key: key.uuid)
        return try answer(photo, to: request)
    }

    /// Reads `{decision, reasons?, note?}`.
    private static func verdict<Reason>(_ json: JSONValue) throws -> ModerationService.Verdict<Reason> {
        var body = JSONObjectReader(json)
        let decision = body.required("decision", String.self) { (word) throws(RuleViolation) in
            try ReviewDecision(word: word)
        }
        var faults = Faults()
        var reasons: [Reason] = []
        if body.contains("reasons") {
            let words = body.items("reasons", count: 0...Reason.allCases.count) ?? []
            for (index, word) in words.enumerated() {
                if let reason = word.string.flatMap(Reason.init(rawValue:)) {
                    reasons.append(reason)
                } else {
                    faults.add("/reasons/\(index)", .vocabulary(Reason.allCases.map(\.rawValue)))
                }
            }
        }
        let note = body.optional("note", String.self) { (text) throws(RuleViolation) in try Remarks(text) }
        faults.check("") { try body.finish() }
        try faults.throwIfAny()
        guard let decision else { throw faults }
        return ModerationService.Verdict(decision: decision, reasons: reasons, note: note)
    }

    private func answer(_ sighting: ReviewedSighting, to request: Request) throws -> Response {
        var headers: HTTPFields = [:]
        try headers.tell(position: sighting.finding.position, of: log)
        return try Response.ownRepresentation(
            JSONWriter.bytes(of: sighting), version: sighting.finding.version, for: request, headers: headers)
    }

    private func answer(_ photo: OwnedPhoto, to request: Request) throws -> Response {
        var headers: HTTPFields = [:]
        try headers.tell(position: photo.position, of: log)
        return try Response.ownRepresentation(
            JSONWriter.bytes(of: ModeratedPhoto(photo: photo)), version: photo.version, for: request,
            headers: headers)
    }
}
