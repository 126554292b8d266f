import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import Service
@testable import WebAPI

extension RouteTests {
    @Test func `a role counts from the next request on, whatever the token says`() async throws {
        let served = try ServedRoutes.required
        let caller = try await Caller.register(served)
        let queue = "/v1/moderation/queue?limit=1"
        #expect(try await caller.send(.get, queue).status == .forbidden)
        let account = try #require(caller.account)
        _ = try await served.cases.accounts.service.grant(.moderator, to: account, by: nil, key: UUID())
        #expect(try await caller.send(.get, queue).status == .ok)
    }
}
