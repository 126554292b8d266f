import Domain
import HTTPTypes
import Hummingbird
import JSON
import Service
package import Web

/// Moderators' routes besides decisions: identifications, `captive`, releases, and hiding texts and photos.
package struct ModerationCorrectionRoutes: RouteGroup {
    let moderation: ModerationService
    let log: LogState

    package var routes: [Route] {
        let sighting = "/v1/moderation/sightings/{id}"
        let photo = "/v1/moderation/photos/{id}/hidden"
        let problems: Set<ProblemType> = [.notFound, .withdrawn, .gone, .ownRecord]
        let inputs: Set<RouteInput> = [.body, .key, .version]
        return [
            Route(
                .post, sighting + "/identifications", .moderators, reads: [.body, .key], problems: problems, identify),
            Route(.put, sighting + "/captive", .moderators, reads: inputs, problems: problems, setCaptive),
            Route(.post, sighting + "/release", .moderators, reads: inputs, problems: problems, release),
            Route(.put, sighting + "/hidden", .moderators, reads: inputs, problems: problems, hideTexts),
            Route(
                .delete, sighting + "/hidden", .moderators, reads: [.key, .version], problems: problems, unhideTexts),
            Route(.put, photo, .moderators, reads: inputs, problems: problems, hidePhoto),
            Route(.delete, photo, .moderators, reads: [.key, .version], problems: problems, unhidePhoto),
        ]
    }

    private func identify(_ request: Request, _ context: APIContext) async throws -> Response {
        let change = try ChangeHeaders(request, context, isVersioned: false)
        let identification = try IdentificationRequest(try await request.json())
        let sighting = try await moderation.identify(
            try context.sightingID(), identification, by: change.account, key: change.key)
        return try .review(of: sighting, for: request, log)
    }

    private func setCaptive(_ request: Request, _ context: APIContext) async throws -> Response {
        let change = try ChangeHeaders(request, context)
        var body = JSONObjectReader(try await request.json())
        let isCaptive = body.required("captive", Bool.self)
        try body.finish()
        guard let isCaptive else { throw body.faults }
        let sighting = try await moderation.setCaptive(
            isCaptive, of: try context.sightingID(), ifVersions: change.versions, by: change.account, key: change.key)
        return try .review(of: sighting, for: request, log)
    }

    private func release(_ request: Request, _ context: APIContext) async throws -> Response {
        let change = try ChangeHeaders(request, context)
        var body = JSONObjectReader(try await request.json())
        let category = body.nullable("category", Int.self) { (number) throws(RuleViolation) in
            guard let category = SensitivityCategory(rawValue: number) else {
                throw RuleViolation(.range, "must be 1 to 4, or null for none")
            }
            return category
        }
        let note = body.required("note", String.self) { (text) throws(RuleViolation) in try Remarks(text) }
        try body.finish()
        guard let note else { throw body.faults }
        let sighting = try await moderation.release(
            try context.sightingID(), to: category, note: note, ifVersions: change.versions,
            by: change.account, key: change.key)
        return try .review(of: sighting, for: request, log)
    }

    private func hideTexts(_ request: Request, _ context: APIContext) async throws -> Response {
        let change = try ChangeHeaders(request, context)
        var body = JSONObjectReader(try await request.json())
        let fields = body.words("fields", count: 1...2) { (word) throws(RuleViolation) in try HidableText(word: word) }
        let hiding = body.hiding()
        try body.finish()
        guard let fields, let hiding else { throw body.faults }
        let sighting = try await moderation.hide(
            fields.map(\.field), of: try context.sightingID(), hiding, ifVersions: change.versions,
            by: change.account, key: change.key)
        return try .review(of: sighting, for: request, log)
    }

    private func unhideTexts(_ request: Request, _ context: APIContext) async throws -> Response {
        let change = try ChangeHeaders(request, context)
        let sighting = try await moderation.hide(
            [], of: try context.sightingID(), ModerationService.Hiding(reason: .other), ifVersions: change.versions,
            by: change.account, key: change.key)
        return try .review(of: sighting, for: request, log)
    }

    private func hidePhoto(_ request: Request, _ context: APIContext) async throws -> Response {
        let change = try ChangeHeaders(request, context)
        var body = JSONObjectReader(try await request.json())
        let hiding = body.hiding()
        try body.finish()
        guard let hiding else { throw body.faults }
        let photo = try await moderation.hide(
            try context.photoID(), hiding, ifVersions: change.versions, by: change.account, key: change.key)
        return try .review(of: photo, for: request, log)
    }

    private func unhidePhoto(_ request: Request, _ context: APIContext) async throws -> Response {
        let change = try ChangeHeaders(request, context)
        let photo = try await moderation.unhide(
            try context.photoID(), ifVersions: change.versions, by: change.account, key: change.key)
        return try .review(of: photo, for: request, log)
    }
}

/// The texts of a sighting that moderators may hide.
enum HidableText: String, Vocabulary {
    case notes, verbatimName

    var field: ContentField {
        switch self {
        case .notes: .notes
        case .verbatimName: .verbatimName
        }
    }
}

extension JSONObjectReader {
    /// Reads `reason` and `note`.
    fileprivate mutating func hiding() -> ModerationService.Hiding? {
        let reason = required("reason", String.self) { (word) throws(RuleViolation) in try HidingReason(word: word) }
        let note = optional("note", String.self) { (text) throws(RuleViolation) in try Remarks(text) }
        return reason.map { ModerationService.Hiding(reason: $0, note: note) }
    }
}

extension IdentificationRequest {
    /// Reads `{taxonId, qualifier?, remarks?}`.
    /// - Throws: `Faults`.
    init(_ json: JSONValue) throws {
        var body = JSONObjectReader(json)
        let taxon = body.required("taxonId", String.self) { (text) throws(RuleViolation) in try TaxonID(text: text) }
        let qualifier = body.optional("qualifier", String.self) { (word) throws(RuleViolation) in
            try TaxonQualifier(word: word)
        }
        let remarks = body.optional("remarks", String.self) { (text) throws(RuleViolation) in try Remarks(text) }
        try body.finish()
        guard let taxon else { throw body.faults }
        self.init(taxon: taxon, qualifier: qualifier, remarks: remarks)
    }
}
