import Domain
import Foundation
import Testing

@testable import Service

struct RememberedTokensTests {
    private let start = Date(timeIntervalSince1970: 1_777_636_800)

    private func principal() -> Principal {
        Principal(accountID: AccountID(UUID()), sessionID: UUID(), roles: [.birder])
    }

    @Test func `a token is remembered until it runs out`() {
        var tokens = VerifiedTokens(capacity: 10)
        let owner = principal()
        tokens.remember("a", of: owner, until: start.addingTimeInterval(10))
        #expect(tokens.principal(of: "a", at: start.addingTimeInterval(9.9)) == owner)
        #expect(tokens.principal(of: "a", at: start.addingTimeInterval(10)) == nil)
        #expect(tokens.principal(of: "b", at: start) == nil)
        tokens.forgetAll()
        #expect(tokens.principal(of: "a", at: start) == nil)
    }

    @Test func `however many come, no more than the capacity stay, and those in use are among them`() {
        var tokens = VerifiedTokens(capacity: 100)
        let owner = principal()
        let expiry = start.addingTimeInterval(900)
        tokens.remember("in use", of: owner, until: expiry)
        for number in 0..<10_000 {
            tokens.remember("\(number)", of: principal(), until: expiry)
            #expect(tokens.count <= 100)
            if number.isMultiple(of: 20) { #expect(tokens.principal(of: "in use", at: start) == owner) }
        }
        #expect(tokens.principal(of: "9999", at: start) != nil)
        #expect(tokens.principal(of: "0", at: start) == nil)
    }

    @Test func `a revoked session is remembered until its last token has run out, then forgotten`() {
        var sessions = RevokedSessions()
        let ids = (0..<100).map { _ in UUID() }
        for (number, id) in ids.enumerated() {
            let now = start.addingTimeInterval(Double(number))
            sessions.insert(id, until: now.addingTimeInterval(10), now: now)
            sessions.insert(id, until: now.addingTimeInterval(10), now: now)
            #expect(sessions.contains(id))
            #expect(sessions.count <= 10)
        }
        #expect(!sessions.contains(ids[0]))
        #expect(sessions.contains(ids[95]))
    }
}
