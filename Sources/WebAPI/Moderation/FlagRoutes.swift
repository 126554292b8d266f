import Domain
import HTTPTypes
import Hummingbird
import JSON
import Service
package import Web

/// Flags of public sightings and photos, by anyone who is signed in.
package struct FlagRoutes: RouteGroup {
    let flags: FlagService
    let catalogue: Catalogue

    package var routes: [Route] {
        let problems: Set<ProblemType> = [.notFound, .gone, .ownRecord, .flagQuota, .modelBehind]
        return [
            Route(
                .post, "/v1/sightings/{id}/flags", .signedIn, reads: [.body, .key],
                problems: problems.union([.withdrawn]), flagSighting),
            Route(.post, "/v1/photos/{id}/flags", .signedIn, reads: [.body, .key], problems: problems, flagPhoto),
        ]
    }

    private func flagSighting(_ request: Request, _ context: APIContext) async throws -> Response {
        let change = try ChangeHeaders(request, context, isVersioned: false)
        let flag = try flag(try await request.json())
        try await flags.flag(try context.sightingID(), flag, by: change.account, key: change.key)
        return Self.done
    }

    private func flagPhoto(_ request: Request, _ context: APIContext) async throws -> Response {
        let change = try ChangeHeaders(request, context, isVersioned: false)
        let flag = try flag(try await request.json())
        try await flags.flag(try context.photoID(), flag, by: change.account, key: change.key)
        return Self.done
    }

    private static var done: Response {
        Response(status: .noContent)
    }

    /// Reads `{reason, taxonId?, note?}`.
    private func flag(_ json: JSONValue) throws -> FlagService.Flag {
        var body = JSONObjectReader(json)
        let reason = body.required("reason", String.self) { (word) throws(RuleViolation) in try FlagReason(word: word) }
        let taxon = body.optional("taxonId", String.self) { (text) throws(RuleViolation) in
            let taxon = try TaxonID(text: text)
            guard catalogue.names.summary(of: taxon) != nil else {
                throw RuleViolation.unknownTaxon
            }
            return taxon
        }
        let note = body.optional("note", String.self) { (text) throws(RuleViolation) in try Remarks(text) }
        if reason == .other, note == nil, !body.contains("note") { body.note("note", .required) }
        try body.finish()
        guard let reason else { throw body.faults }
        return FlagService.Flag(reason: reason, taxon: taxon, note: note)
    }
}
