import Domain
import Foundation
import Logging
import Postgres
import TestSupport
import Testing
import Vault

@testable import Service

struct SessionUpkeepTests {
    @Test func `a session ended in one process is soon rejected in the others, also one started later`() async throws {
        try await withSessions { fixture in
            _ = try await fixture.register("wren@example.org", "a wren in winter")
            let other = fixture.anotherProcess()
            try await other.upkeep.perform()
            let kept = try await fixture.sessions.signIn(email: "wren@example.org", password: "a wren in winter")
            let ended = try await fixture.sessions.signIn(email: "wren@example.org", password: "a wren in winter")
            let principal = try await other.accessTokens.principal(of: ended.accessToken)
            fixture.time.advance(300)
            try await fixture.sessions.end(principal)
            fixture.time.advance(5)
            try await other.upkeep.perform()
            fixture.time.advance(500)
            let late = fixture.anotherProcess()
            try await late.upkeep.perform()
            for process in [other, late] {
                await #expect(throws: AccessTokenRejection.revoked) {
                    try await process.accessTokens.principal(of: ended.accessToken)
                }
                _ = try await process.accessTokens.principal(of: kept.accessToken)
            }
        }
    }

    @Test func `a session whose end was committed a little late is not missed`() async throws {
        try await withSessions { fixture in
            _ = try await fixture.register("wren@example.org", "a wren in winter")
            let other = fixture.anotherProcess()
            let tokens = try await fixture.sessions.signIn(email: "wren@example.org", password: "a wren in winter")
            let moment = fixture.time.now()
            fixture.time.advance(20)
            try await other.upkeep.perform()
            try await fixture.refreshTokens.end(session: tokens.sessionID, reason: .signedOut, at: moment)
            fixture.time.advance(5)
            try await other.upkeep.perform()
            await #expect(throws: AccessTokenRejection.revoked) {
                try await other.accessTokens.principal(of: tokens.accessToken)
            }
        }
    }

    @Test func `what has run out is purged, once an hour`() async throws {
        try await withSessions { fixture in
            let process = fixture.anotherProcess()
            try await process.upkeep.perform()
            let long = fixture.time.now().addingTimeInterval(-86_400 * 40)
            _ = try await fixture.refreshTokens.issue(for: .init(id: UUID(), account: UUID()), at: long)
            fixture.time.advance(3599)
            try await process.upkeep.perform()
            #expect(try await fixture.openSessions == 1)
            fixture.time.advance(1)
            try await process.upkeep.perform()
            #expect(try await fixture.openSessions == 0)
        }
    }

    @Test func `it runs until it is cancelled, and a failure does not end it`() async throws {
        let keys = KeysInMemory()
        try await withSessions { fixture in
            let (clock, time) = (ManualClock(), fixture.time)
            await fixture.service.close()
            let upkeep = SessionUpkeep(
                accessTokens: AccessTokens(keys: keys, now: time.now), refreshTokens: fixture.refreshTokens,
                logger: .quiet, now: time.now)
            let running = Task { await upkeep.run(clock: clock) }
            for round in 1...3 {
                await clock.sleepers(1)
                #expect(keys.lookups == round)
                clock.advance(by: .seconds(5))
            }
            await clock.sleepers(1)
            running.cancel()
            await running.value
        }
    }
}
