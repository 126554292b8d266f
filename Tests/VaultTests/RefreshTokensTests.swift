import Foundation
import Postgres
import TestSupport
import Testing
import Vault

struct RefreshTokensTests {
    private let start = Date(timeIntervalSince1970: 1_777_636_800)

    private func after(_ seconds: Double) -> Date { start.addingTimeInterval(seconds) }

    @Test func `a token is 256 random bits in base64url, read back only in that form`() throws {
        let tokens = (0..<200).map { _ in RefreshToken() }
        #expect(Set(tokens.map(\.secret)).count == 200)
        for token in tokens {
            #expect(token.secret.utf8.count == 43)
            let read = try #require(RefreshToken(presented: token.secret))
            #expect(read.digest == token.digest)
            #expect(token.digest.count == 32)
        }
        let letters = Set(tokens.flatMap(\.secret))
        #expect(letters.count == 64)
        let good = tokens[0].secret
        for text in ["", "x", good + "A", String(good.dropLast()), good.dropLast() + "=", good.dropLast(2) + "é"] {
            #expect(RefreshToken(presented: text) == nil)
        }
    }

    @Test func `a token does not show itself`() {
        let token = RefreshToken()
        var dumped = ""
        dump(token, to: &dumped)
        #expect(!"\(token) \(String(reflecting: token)) \(dumped)".contains(token.secret))
    }

    @Test func `an account has so many sessions, and another one ends the one that expires first`() async throws {
        try await withVault { vault in
            let tokens = RefreshTokens(database: vault.service)
            let (account, other) = (UUID(), UUID())
            let first = SignedInSession(id: UUID(), account: account)
            let oldest = try await tokens.issue(for: first, at: start)
            let second = try await tokens.issue(for: SignedInSession(id: UUID(), account: account), at: after(1))
            _ = try await tokens.issue(for: SignedInSession(id: UUID(), account: other), at: start)
            for number in 2..<RefreshTokens.mostSessions {
                _ = try await tokens.issue(
                    for: SignedInSession(id: UUID(), account: account), at: after(Double(number)))
            }
            // The first one is in use: now the second one would expire first.
            let used = try #require(try await tokens.rotate(oldest, at: after(500)).success).0
            let newest = SignedInSession(id: UUID(), account: account)
            _ = try await tokens.issue(for: newest, at: after(501))
            guard case .ended = try await tokens.rotate(second, at: after(502)) else {
                Issue.record("the session goes on")
                return
            }
            #expect(try await tokens.rotate(used, at: after(503)).success != nil)
            let open = try await vault.count("SELECT count(*) FROM vault.sessions WHERE ended_at IS NULL")
            #expect(open == Int64(RefreshTokens.mostSessions) + 1)
        }
    }

    @Test func `exchanging goes on as long as every token comes once`() async throws {
        try await withVault { vault in
            let tokens = RefreshTokens(database: vault.service)
            let session = SignedInSession(id: UUID(), account: UUID())
            var token = try await tokens.issue(for: session, at: start)
            for round in 1...5 {
                let (next, of) = try #require(try await tokens.rotate(token, at: after(Double(round) * 900)).success)
                #expect(of == session)
                #expect(next.secret != token.secret)
                token = next
            }
            #expect(try await vault.count("SELECT count(*) FROM vault.refresh_tokens") == 6)
        }
    }

    @Test func `only digests are stored`() async throws {
        try await withVault { vault in
            let tokens = RefreshTokens(database: vault.service)
            let token = try await tokens.issue(for: .init(id: UUID(), account: UUID()), at: start)
            let stored = try await vault.owner.query("SELECT t::text AS row, digest FROM vault.refresh_tokens t")
            let row = try #require(stored.first)
            #expect(try row.decode("digest", as: [UInt8].self) == token.digest)
            #expect(!(try row.decode("row", as: String.self)).contains(token.secret))
        }
    }

    @Test func `a token presented after its successor was used ends the session, its newest token too`() async throws {
        try await withVault { vault in
            let tokens = RefreshTokens(database: vault.service)
            let session = SignedInSession(id: UUID(), account: UUID())
            let first = try await tokens.issue(for: session, at: start)
            let second = try #require(try await tokens.rotate(first, at: after(1)).success?.token)
            let third = try #require(try await tokens.rotate(second, at: after(2)).success?.token)
            #expect(try await tokens.rotate(first, at: after(3)).name == "reused")
            #expect(try await tokens.rotate(third, at: after(4)).name == "ended")
            #expect(try await tokens.rotate(second, at: after(4)).name == "ended")
            #expect(try await tokens.ended(since: after(3)) == [session.id])
        }
    }

    @Test func `the last token is honoured again for a minute, counted from its first use`() async throws {
        try await withVault { vault in
            let tokens = RefreshTokens(database: vault.service)
            let first = try await tokens.issue(for: .init(id: UUID(), account: UUID()), at: start)
            let lost = try #require(try await tokens.rotate(first, at: after(100)).success?.token)
            let again = try #require(try await tokens.rotate(first, at: after(130)).success?.token)
            let last = try #require(try await tokens.rotate(first, at: after(159.9)).success?.token)
            #expect(Set([lost.secret, again.secret, last.secret]).count == 3)
            #expect(try await tokens.rotate(first, at: after(160)).name == "reused")
        }
    }

    @Test func `of several successors one may be used; another one presented later ends the session`() async throws {
        try await withVault { vault in
            let tokens = RefreshTokens(database: vault.service)
            let first = try await tokens.issue(for: .init(id: UUID(), account: UUID()), at: start)
            let one = try #require(try await tokens.rotate(first, at: after(1)).success?.token)
            let two = try #require(try await tokens.rotate(first, at: after(2)).success?.token)
            let next = try #require(try await tokens.rotate(one, at: after(3)).success?.token)
            // The answer with `next` was lost as well.
            _ = try #require(try await tokens.rotate(one, at: after(4)).success)
            #expect(try await tokens.rotate(two, at: after(5)).name == "reused")
            #expect(try await tokens.rotate(next, at: after(6)).name == "ended")
        }
    }

    @Test func `a token runs out; each exchange gives the next one its full time`() async throws {
        try await withVault { vault in
            let tokens = RefreshTokens(database: vault.service, lifetimes: .init(token: .seconds(1000)))
            let session = SignedInSession(id: UUID(), account: UUID())
            let first = try await tokens.issue(for: session, at: start)
            let second = try #require(try await tokens.rotate(first, at: after(999)).success?.token)
            let third = try #require(try await tokens.rotate(second, at: after(1998)).success?.token)
            #expect(try await tokens.rotate(third, at: after(2998)).name == "expired")
            #expect(try await tokens.rotate(first, at: after(2998)).name == "expired")
            #expect(try await tokens.ended(since: start).isEmpty)
            #expect(try await tokens.rotate(RefreshToken(), at: after(2998)).name == "unknown")
        }
    }

    @Test func `ending a session, or all of an account, leaves the others alone`() async throws {
        try await withVault { vault in
            let tokens = RefreshTokens(database: vault.service)
            let (account, other) = (UUID(), UUID())
            let sessions = [account, account, account, other].map { SignedInSession(id: UUID(), account: $0) }
            var issued: [RefreshToken] = []
            for session in sessions { issued.append(try await tokens.issue(for: session, at: start)) }

            #expect(try await tokens.end(session: sessions[0].id, reason: .signedOut, at: after(1)))
            #expect(try await !tokens.end(session: sessions[0].id, reason: .signedOut, at: after(2)))
            #expect(try await !tokens.end(session: UUID(), reason: .signedOut, at: after(2)))
            #expect(try await tokens.rotate(issued[0], at: after(2)).name == "ended")
            #expect(try await tokens.rotate(issued[1], at: after(2)).name == "rotated")

            let ended = try await tokens.endAll(of: account, at: after(3))
            #expect(Set(ended) == [sessions[1].id, sessions[2].id])
            #expect(try await tokens.rotate(issued[2], at: after(4)).name == "ended")
            #expect(try await tokens.rotate(issued[3], at: after(4)).name == "rotated")
            #expect(Set(try await tokens.ended(since: after(1))) == Set(sessions[..<3].map(\.id)))
            #expect(Set(try await tokens.ended(since: after(3))) == Set(ended))
        }
    }

    @Test func `purging forgets what ran out and what ended a day ago, in portions, and nothing else`() async throws {
        try await withVault { vault in
            let tokens = RefreshTokens(database: vault.service, lifetimes: .init(token: .seconds(200_000)))
            func session() -> SignedInSession { SignedInSession(id: UUID(), account: UUID()) }
            let (old, live, left) = (session(), session(), session())
            _ = try await tokens.issue(for: old, at: after(-250_000))
            _ = try await tokens.issue(for: session(), at: after(-250_000))
            let early = try await tokens.issue(for: live, at: after(-250_000))
            let late = try #require(try await tokens.rotate(early, at: after(-100_000)).success?.token)
            _ = try await tokens.issue(for: left, at: start)
            try await tokens.end(session: left.id, reason: .signedOut, at: after(1))

            // Three tokens and two sessions have run out.
            #expect(try await tokens.purge(at: after(60), limit: 1) == 2)
            #expect(try await tokens.purge(at: after(60)) == 3)
            #expect(try await tokens.purge(at: after(60)) == 0)
            #expect(try await vault.count("SELECT count(*) FROM vault.sessions") == 2)
            #expect(try await tokens.rotate(early, at: after(60)).name == "unknown")
            #expect(try await tokens.rotate(late, at: after(60)).name == "rotated")
            #expect(try await tokens.purge(at: after(1 + 86_400)) == 1)
            #expect(try await vault.count("SELECT count(*) FROM vault.sessions") == 1)
        }
    }
}

extension RefreshRotation {
    /// The successor, where there is one.
    var success: (token: RefreshToken, session: SignedInSession)? {
        if case .rotated(let token, of: let session) = self { (token, session) } else { nil }
    }

    /// The case without its values.
    var name: String {
        switch self {
        case .rotated: "rotated"
        case .unknown: "unknown"
        case .expired: "expired"
        case .ended: "ended"
        case .reused: "reused"
        }
    }
}
