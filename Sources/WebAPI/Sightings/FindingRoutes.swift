import Domain
import HTTPTypes
import Hummingbird
import JSON
import Service
package import Web

/// One's own sightings, each by itself: as it is, changed, taken back.
package struct FindingRoutes: RouteGroup {
    let sightings: SightingService
    let reads: Reads
    let log: LogState

    package var routes: [Route] {
        let path = "/v1/me/findings/{id}"
        return [
            Route(.get, path, .signedIn, reads: [.query, .tag], problems: [.notFound, .gone, .modelBehind], finding),
            Route(
                .patch, path, .signedIn, reads: [.body, .key, .version], problems: [.notFound, .withdrawn, .gone],
                correct),
            Route(
                .delete, path, .signedIn, reads: [.query, .key, .version], problems: [.notFound, .withdrawn, .gone],
                withdraw),
        ]
    }

    private func finding(_ request: Request, _ context: APIContext) async throws -> Response {
        try QueryReader.expectNone(in: request)
        let account = try context.signedIn().accountID
        // The sighting itself is read from the log.
        try await reads.wait(OwnedPhotos.plan, Asked(of: account))
        let finding = try await sightings.finding(try context.sightingID(), of: account)
        return try answer(finding, to: request)
    }

    private func correct(_ request: Request, _ context: APIContext) async throws -> Response {
        let account = try context.signedIn().accountID
        let id = try context.sightingID()
        let key = try IdempotencyKey(request.headers)
        let versions = try ExpectedVersion(request.headers).versions
        let preferences = Preferences(request.headers)
        let patch = try SightingRequest(patch: try await request.json(isPatch: true), isStrict: preferences.isStrict)
        let finding = try await sightings.correct(id, patch, ifVersions: versions, by: account, key: key.uuid)
        return try answer(finding, to: request, applied: preferences.applied)
    }

    private func withdraw(_ request: Request, _ context: APIContext) async throws -> Response {
        let account = try context.signedIn().accountID
        let id = try context.sightingID()
        let key = try IdempotencyKey(request.headers)
        let versions = try ExpectedVersion(request.headers).versions
        var query = QueryReader(request)
        let reason = query.optional("reason", WithdrawSighting.Reason.init(word:)) ?? .mistake
        try query.finish()
        let position = try await sightings.withdraw(
            id, reason: reason, ifVersions: versions, by: account, key: key.uuid)
        return Response(status: .noContent, headers: try HTTPFields(privateAt: position, of: log))
    }

    private func answer(_ finding: Finding, to request: Request, applied: String? = nil) throws -> Response {
        var headers: HTTPFields = [:]
        headers[.preferenceApplied] = applied
        try headers.tell(position: finding.position, of: log)
        return try Response.ownRepresentation(
            JSONWriter.bytes(of: finding), version: finding.version, for: request, headers: headers)
    }
}

extension APIContext {
    /// The sighting that the path names.
    /// - Throws: 404 for what is no id.
    func sightingID() throws(ProblemDetails) -> SightingID {
        guard let id = parameters.get("id").flatMap(SightingID.init) else { throw ProblemDetails(.notFound) }
        return id
    }
}
