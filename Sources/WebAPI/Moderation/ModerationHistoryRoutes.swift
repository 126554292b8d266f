import Domain
import Forms
import HTTPTypes
import Hummingbird
import JSON
import Service
package import Web

/// The whole history of a sighting and its photos, for moderators.
package struct ModerationHistoryRoutes: RouteGroup {
    let findings: OwnReads
    let moderation: ModerationService
    let log: LogState

    package var routes: [Route] {
        [
            Route(
                .get, "/v1/moderation/sightings/{id}/history", .moderators, reads: [.query, .position],
                problems: [.notFound, .gone], history)
        ]
    }

    private func history(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.signedIn()
        let id = try context.sightingID()
        try QueryReader.expectNone(in: request)
        let position = try await ReadYourWrites(log).wait(
            request.headers, model: FindingReader.model, account: caller.accountID)
        let (changes, reached) = try await findings.read(seeing: position) { reader, reached in
            (try await reader.history(of: id, for: .moderator), reached)
        }
        // After the reading: what was narrowed before it is no longer seen by everyone.
        try await moderation.noteHistory(of: id, readBy: caller.accountID)
        let entries = changes.map { HistoryEntry($0, forAdmin: caller.roles.contains(.admin)) }
        return .json(
            JSONWriter.bytes(of: WholeList(items: entries)),
            headers: try HTTPFields(privateAt: reached, of: log))
    }
}
