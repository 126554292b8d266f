import Domain
import EventLog
import Foundation
import NIOConcurrencyHelpers
import Postgres
import ReadModels
import TestSupport
import Testing
import Vault

@testable import Service

struct AccountDirectoryTests {
    /// A clock that moves only when a test moves it.
    private final class Time: Sendable {
        private let moment = NIOLockedValueBox(ContinuousClock.now)

        var now: ContinuousClock.Instant { moment.withLockedValue { $0 } }

        func pass(_ time: Duration) { moment.withLockedValue { $0 += time } }
    }

    /// Another process: it follows the log, and shares nothing but the database.
    private static func other(_ fixture: UseCaseFixture, _ time: Time) -> AccountDirectory {
        AccountDirectory(
            fixture.accounts.store, AccountQueries(fixture.log.pool), logger: .quiet, now: { time.now })
    }

    @Test func `another process forgets an account whose roles changed`() async throws {
        try await UseCaseFixture.run { fixture in
            let (birder, time) = (try await fixture.birder(), Time())
            let other = Self.other(fixture, time)
            try await fixture.follow()
            try await other.refresh()
            #expect(try await other.status(of: birder).roles == [.birder])
            _ = try await fixture.accounts.grant(.moderator, to: birder, by: nil, key: UUID())
            #expect(try await other.status(of: birder).roles == [.birder], "it has not heard of the change yet")
            try await fixture.follow()
            try await other.refresh()
            #expect(try await other.status(of: birder).roles == [.birder, .moderator])
        }
    }

    @Test func `the process that changes an account knows at once`() async throws {
        try await UseCaseFixture.run { fixture in
            let birder = try await fixture.birder()
            try await fixture.follow()
            try await fixture.directory.refresh()
            #expect(try await fixture.directory.status(of: birder).roles == [.birder])
            _ = try await fixture.accounts.grant(.moderator, to: birder, by: nil, key: UUID())
            #expect(try await fixture.directory.status(of: birder).roles == [.birder, .moderator])
        }
    }

    @Test func `a process that hears nothing for a while asks the log`() async throws {
        try await UseCaseFixture.run { fixture in
            let (birder, time) = (try await fixture.birder(), Time())
            let other = Self.other(fixture, time)
            try await fixture.follow()
            try await other.refresh()
            _ = try await other.status(of: birder)
            _ = try await fixture.accounts.grant(.moderator, to: birder, by: nil, key: UUID())
            time.pass(AccountDirectory.tolerance)
            #expect(try await other.status(of: birder).roles == [.birder], "it is as old as it may be")
            time.pass(.milliseconds(1))
            #expect(try await other.status(of: birder).roles == [.birder, .moderator])
        }
    }

    @Test func `nothing cached is used while the read model is behind`() async throws {
        try await UseCaseFixture.run { fixture in
            let (birder, time) = (try await fixture.birder(), Time())
            let other = Self.other(fixture, time)
            try await fixture.follow()
            try await other.refresh()
            _ = try await other.status(of: birder)
            _ = try await fixture.accounts.grant(.moderator, to: birder, by: nil, key: UUID())
            // The model folds nothing, however often it is asked.
            for _ in 0..<4 {
                time.pass(.seconds(1))
                try await other.refresh()
            }
            #expect(try await other.status(of: birder).roles == [.birder, .moderator])
            _ = try await fixture.accounts.grant(.admin, to: birder, by: nil, key: UUID())
            #expect(try await other.status(of: birder).roles == [.birder, .moderator, .admin])
            try await fixture.follow()
            try await other.refresh()
            _ = try await other.status(of: birder)
            _ = try await fixture.accounts.grant(.researcher, to: birder, by: nil, key: UUID())
            #expect(try await other.status(of: birder).roles.count == 3, "it uses its cache again")
        }
    }

    @Test func `a status that was being read while its account changed is not kept`() async throws {
        try await UseCaseFixture.run { fixture in
            let birder = try await fixture.birder()
            try await fixture.follow()
            try await fixture.directory.refresh()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for role in Role.allCases {
                    group.addTask {
                        _ = try await fixture.accounts.grant(role, to: birder, by: nil, key: UUID())
                        let held = try await fixture.directory.status(of: birder).roles
                        #expect(held.contains(role), "\(role)")
                    }
                    group.addTask { _ = try await fixture.directory.status(of: birder) }
                }
                try await group.waitForAll()
            }
            #expect(try await fixture.directory.status(of: birder).roles == Set(Role.allCases))
        }
    }

    @Test func `an account that does not exist is not found`() async throws {
        try await UseCaseFixture.run { fixture in
            #expect(await failure { try await fixture.directory.status(of: AccountID(UUID())) } == "notFound")
        }
    }
}
