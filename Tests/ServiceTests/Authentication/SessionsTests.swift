import Domain
import Foundation
import Postgres
import Testing
import Vault

@testable import Service

struct SessionsTests {
    @Test func `the right password opens a session, whatever the case of the address`() async throws {
        try await withSessions { fixture in
            let account = try await fixture.register("wren@example.org", "a wren in winter", roles: [.birder, .admin])
            for address in ["wren@example.org", "WREN@Example.org"] {
                let tokens = try await fixture.sessions.signIn(email: address, password: "a wren in winter")
                #expect(tokens.accountID == account)
                #expect(tokens.expiresIn == 900)
                let principal = try await fixture.accessTokens.principal(of: tokens.accessToken)
                #expect(
                    principal
                        == Principal(
                            accountID: account, sessionID: tokens.sessionID, roles: [.birder, .admin]))
            }
        }
    }

    @Test func `a wrong password, an unknown address, none, and a closed account: all the same answer`() async throws {
        try await withSessions { fixture in
            _ = try await fixture.register("wren@example.org", "a wren in winter")
            let closed = try await fixture.register("closed@example.org", "a wren in winter")
            fixture.accounts.close(closed)
            let attempts = [
                ("wren@example.org", "a wren in summer"), ("wren@example.org", ""),
                ("other@example.org", "a wren in winter"), ("not an address", "a wren in winter"), ("", ""),
                ("closed@example.org", "a wren in winter"),
            ]
            for (email, password) in attempts {
                await #expect(throws: SessionRejection.wrongCredentials, "\(email), \(password)") {
                    try await fixture.sessions.signIn(email: email, password: password)
                }
            }
            #expect(try await fixture.openSessions == 0)
        }
    }

    @Test func `refreshing gives new tokens of the same session, with the roles of now`() async throws {
        try await withSessions { fixture in
            let account = try await fixture.register("wren@example.org", "a wren in winter")
            let first = try await fixture.sessions.signIn(email: "wren@example.org", password: "a wren in winter")
            fixture.accounts.set([.birder, .moderator], of: account)
            fixture.time.advance(800)
            let second = try await fixture.sessions.refresh(first.refreshToken)
            #expect(second.sessionID == first.sessionID)
            #expect(second.accountID == account)
            #expect(second.refreshToken != first.refreshToken)
            #expect(try await fixture.accessTokens.principal(of: second.accessToken).roles == [.birder, .moderator])
            #expect(try await fixture.accessTokens.principal(of: first.accessToken).roles == [.birder])
        }
    }

    @Test func `a token that comes again too late ends the session, and its access tokens with it`() async throws {
        try await withSessions { fixture in
            _ = try await fixture.register("wren@example.org", "a wren in winter")
            let first = try await fixture.sessions.signIn(email: "wren@example.org", password: "a wren in winter")
            let second = try await fixture.sessions.refresh(first.refreshToken)
            fixture.time.advance(60)
            for token in [first.refreshToken, second.refreshToken, "", "x", RefreshToken().secret] {
                await #expect(throws: SessionRejection.refreshTokenRejected) {
                    try await fixture.sessions.refresh(token)
                }
            }
            for token in [first.accessToken, second.accessToken] {
                await #expect(throws: AccessTokenRejection.revoked) {
                    try await fixture.accessTokens.principal(of: token)
                }
            }
        }
    }

    @Test func `signing out ends this session and no other; ending all ends all`() async throws {
        try await withSessions { fixture in
            let account = try await fixture.register("wren@example.org", "a wren in winter")
            var tokens: [SessionTokens] = []
            for _ in 0..<3 {
                tokens.append(
                    try await fixture.sessions.signIn(email: "wren@example.org", password: "a wren in winter"))
            }
            let principal = try await fixture.accessTokens.principal(of: tokens[0].accessToken)
            try await fixture.sessions.end(principal)
            try await fixture.sessions.end(principal)
            await #expect(throws: AccessTokenRejection.revoked) {
                try await fixture.accessTokens.principal(of: tokens[0].accessToken)
            }
            await #expect(throws: SessionRejection.refreshTokenRejected) {
                try await fixture.sessions.refresh(tokens[0].refreshToken)
            }
            _ = try await fixture.accessTokens.principal(of: tokens[1].accessToken)

            try await fixture.sessions.endAll(of: account)
            for token in tokens {
                await #expect(throws: AccessTokenRejection.revoked) {
                    try await fixture.accessTokens.principal(of: token.accessToken)
                }
            }
            #expect(try await fixture.openSessions == 0)
        }
    }

    @Test func `an account that is closed cannot refresh, and its session is over`() async throws {
        try await withSessions { fixture in
            let account = try await fixture.register("wren@example.org", "a wren in winter")
            let tokens = try await fixture.sessions.signIn(email: "wren@example.org", password: "a wren in winter")
            fixture.accounts.close(account)
            await #expect(throws: SessionRejection.refreshTokenRejected) {
                try await fixture.sessions.refresh(tokens.refreshToken)
            }
            await #expect(throws: AccessTokenRejection.revoked) {
                try await fixture.accessTokens.principal(of: tokens.accessToken)
            }
        }
    }

    @Test func `tokens do not show themselves`() async throws {
        try await withSessions { fixture in
            _ = try await fixture.register("wren@example.org", "a wren in winter")
            let tokens = try await fixture.sessions.signIn(email: "wren@example.org", password: "a wren in winter")
            var text = "\(tokens) \(String(reflecting: tokens))"
            dump(tokens, to: &text)
            #expect(!text.contains(tokens.accessToken))
            #expect(!text.contains(tokens.refreshToken))
        }
    }

    /// Loose, because the machine is shared: what it must notice is a check left out, which is a factor of twenty.
    @Test func `whether an address exists makes no difference in time`() async throws {
        // Far less work than in earnest, and still far more than everything else a sign-in does.
        let cost = try #require(ScryptCost(logRounds: 12, blockSize: 8, parallelism: 1))
        try await withSessions(cost: cost) { fixture in
            _ = try await fixture.register("wren@example.org", "a wren in winter")
            var ratios: [Double] = []
            func areClose() -> Bool { ratios.count > 1 && ratios.suffix(2).allSatisfy { (0.25...4).contains($0) } }
            for _ in 0..<20 where !areClose() {
                let existing = await shortestTime("wren@example.org", fixture)
                for address in ["other@example.org", "not an address"] {
                    ratios.append(await shortestTime(address, fixture) / existing)
                }
            }
            #expect(areClose(), "\(ratios)")
        }
    }

    /// The shortest time of several rejections: other load only adds to it.
    private func shortestTime(_ address: String, _ fixture: SessionsFixture) async -> Duration {
        var shortest = Duration.seconds(3600)
        for _ in 0..<5 {
            let time = await ContinuousClock().measure {
                await #expect(throws: SessionRejection.wrongCredentials) {
                    try await fixture.sessions.signIn(email: address, password: "a wren in summer")
                }
            }
            shortest = min(shortest, time)
        }
        return shortest
    }
}
