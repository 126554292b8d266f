import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import WebAPI

extension RouteTests {
    @Test(arguments: [
        "/v1/me/species", "/v1/me/gallery", "/v1/moderation/queue", "/v1/observers/NOBODY/gallery", "/v1/targets",
        "/v1/targets/history", "/v1/sightings", "/v1/sightings/count",
    ])
    func `a region that is not known is a fault of the query`(path: String) async throws {
        let served = try ServedRoutes.required
        let moderator = try await Caller.register(served, role: .moderator)
        let path = path.replacing("NOBODY", with: "\(UUID())".lowercased())
        for region in ["cascadia", "Not%20one"] {
            let answer = try await moderator.send(.get, "\(path)?region=\(region)")
            #expect(try answer.status == .badRequest && answer.text("errors.0.parameter") == "region")
        }
        #expect(try await moderator.send(.get, "\(path)?region=hawaii").status == .ok)
    }
}
