import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Service
import Testing

@testable import Web

extension RouteTests {
    /// Clients keep cursors, which do not expire: the scopes with which they were sealed stay as they are.
    @Test func `cursors of earlier versions stay valid`() async throws {
        let moderator = try await Caller.register(try .required, role: .moderator)
        let account = try #require(moderator.account)
        let (id, days) = (UUID().uuidString.lowercased(), "from=2026-01-01&to=2026-12-31")
        let log = moderator.served.cases.ground.log
        let moment: [PageCursor.Part] = [
            .integer(1_777_645_800_000_000), .uuid(UUID()), .integer(log.epoch), .integer(1),
        ]
        let published: [PageCursor.Part] = [.text("2026-05-01"), .uuid(UUID())]
        let lists: [(path: String, scope: String, key: [PageCursor.Part])] = [
            ("/v1/me/findings?limit=1", "findings/\(account)///", moment),
            ("/v1/me/findings?kind=bird&\(days)", "findings/\(account)/bird/2026-01-01/2026-12-31", moment),
            ("/v1/me/gallery?status=pending&kind=bird&region=hawaii", "gallery/\(account)/pending/bird/hawaii", moment),
            ("/v1/me/species?kind=bird&year=2026&region=hawaii", "species/\(account)/bird/2026/hawaii", moment),
            ("/v1/observers/\(id)/gallery?kind=bird&region=hawaii", "gallery/observers/\(id)/bird/hawaii", published),
            (
                "/v1/sightings?kind=bird&\(days)",
                #"sightings/{"kind":"bird","from":"2026-01-01","to":"2026-12-31"}/"#, published
            ),
            (
                "/v1/moderation/queue?subject=sighting&region=hawaii&taxon=\(id)&kind=bird&\(days)",
                "queue/\(account)/sighting/hawaii/\(id)/bird/2026-01-01/2026-12-31", moment
            ),
        ]
        for list in lists {
            let token = try PageCursor(list.key)
                .token(scope: list.scope, sealedBy: log.cursors, at: .now)
            let answer = try await moderator.send(.get, "\(list.path)&after=\(token)")
            #expect(answer.status == .ok, "\(list.path) \(String(buffer: answer.body))")
        }
    }
}
