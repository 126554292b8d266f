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
        let asked = try await Asked(request.headers, of: caller.accountID, log)
        let changes = try await findings.read(FindingReader.histories, asked) {
            try await $0.history(of: id, for: .moderator)
        }
        // After the reading: what was narrowed before it is no longer seen by everyone.
        try await moderation.noteHistory(of: id, readBy: caller.accountID)
        let entries = changes.value.map { HistoryEntry($0, forAdmin: caller.roles.contains(.admin)) }
        return .json(
            JSONWriter.bytes(of: WholeList(items: entries)),
            headers: try HTTPFields(privateAt: changes.position, of: log))
    }
}
