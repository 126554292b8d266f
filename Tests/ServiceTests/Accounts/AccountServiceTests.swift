import Domain
import Foundation
import Testing

@testable import Service

struct AccountServiceTests {
    private typealias Fixture = UseCaseFixture

    @Test func `of those who sign up at once with one address, one gets it`() async throws {
        try await Fixture.run { fixture in
            let signUps = [try Fixture.signUp("Wren@example.org"), try Fixture.signUp("wren@EXAMPLE.org")]
            let (profiles, failures) = await atOnce(
                (signUps + signUps).map { signUp in { try await fixture.accounts.register(signUp, key: UUID()) } })
            #expect(profiles.count == 1 && failures == ["emailTaken", "emailTaken", "emailTaken"])
            let holder = try await fixture.accounts.account(holding: try EmailAddress("wren@example.org"))
            #expect(holder == profiles.first?.id)
            #expect(try await fixture.accounts.account(holding: try EmailAddress("owl@example.org")) == nil)
        }
    }

    @Test func `a sign-up sent twice at once makes one account`() async throws {
        try await Fixture.run { fixture in
            let (signUp, key) = (try Fixture.signUp(), UUID())
            let (profiles, failures) = await atOnce(
                (0..<2).map { _ in { try await fixture.accounts.register(signUp, key: key) } })
            #expect(failures.isEmpty && Set(profiles.map(\.id)).count == 1)
            #expect(profiles.allSatisfy { $0.version == 1 && $0.name == "Ada Wren" })
            #expect(try await fixture.log.head() == 1)
        }
    }

    @Test func `a password is part of a sign-up, whether the first is still being recorded or not`() async throws {
        try await Fixture.run { fixture in
            let (signUp, key) = (try Fixture.signUp(), UUID())
            var other = signUp
            other.password = "nine wrens in a hedge"
            let (profiles, failures) = await atOnce(
                [signUp, other].map { signUp in { try await fixture.accounts.register(signUp, key: key) } })
            #expect(profiles.count == 1 && failures == ["keyReused"])
        }
    }

    @Test func `a sign-up sent again finds its account, even if it breaks a rule by now`() async throws {
        try await Fixture.run { fixture in
            let (signUp, key) = (try Fixture.signUp(), UUID())
            let first = try await fixture.accounts.register(signUp, key: key)
            let stricter = fixture.accounts(with: PasswordPolicy(common: [signUp.password]))
            #expect(try await stricter.register(signUp, key: key).id == first.id)
            await #expect(throws: Faults.self) { try await stricter.register(signUp, key: UUID()) }
        }
    }

    @Test func `a rejected sign-up leaves nothing behind, and its key is free`() async throws {
        try await Fixture.run { fixture in
            let (taken, key) = (try Fixture.signUp(), UUID())
            _ = try await fixture.accounts.register(taken, key: UUID())
            #expect(await failure { try await fixture.accounts.register(taken, key: key) } == "emailTaken")
            #expect(try await fixture.log.head() == 1)
            _ = try await fixture.accounts.register(try Fixture.signUp(), key: key)
            #expect(try await fixture.log.head() == 2)
        }
    }

    @Test func `a state and a region that do not fit are a fault of the region`() async throws {
        try await Fixture.run { fixture in
            let place = try #require(
                fixture.log.places.regions.values.first { $0.code.text != "pacific-northwest" })
            let faults = fixture.accounts.faults(
                password: nil, email: nil, state: try StateCode("US-WA"), region: place.code, oldEnough: nil)
            #expect(faults.all.map(\.pointer) == ["/region"] && faults.all.first?.code == .conflict)
        }
    }

    @Test func `roles granted at once are all held, and one that is held is not granted again`() async throws {
        try await Fixture.run { fixture in
            let birder = try await fixture.birder()
            let roles: [Role] = [.moderator, .researcher, .admin]
            let (profiles, failures) = await atOnce(
                roles.map { role in { try await fixture.accounts.grant(role, to: birder, by: nil, key: UUID()) } })
            #expect(failures.isEmpty && Set(profiles.map(\.version)) == [2, 3, 4])
            let profile = try await fixture.accounts.grant(.moderator, to: birder, by: nil, key: UUID())
            #expect(profile.version == 4 && profile.roles == Set(roles + [.birder]))
        }
    }

    @Test func `a repeated grant is answered with the roles of then`() async throws {
        try await Fixture.run { fixture in
            let (birder, admin, key) = (try await fixture.birder(), try await fixture.birder(), UUID())
            _ = try await fixture.accounts.grant(.moderator, to: birder, by: admin, key: key)
            _ = try await fixture.accounts.grant(.researcher, to: birder, by: admin, key: UUID())
            let again = try await fixture.accounts.grant(.moderator, to: birder, by: admin, key: key)
            #expect(again.version == 2 && again.roles == [.birder, .moderator])
            let other = await failure { try await fixture.accounts.grant(.admin, to: birder, by: admin, key: key) }
            #expect(other == "keyReused")
        }
    }

    @Test func `an account whose registration was redacted is gone; one that never was is not found`() async throws {
        try await Fixture.run { fixture in
            let birder = try await fixture.birder()
            try await fixture.redact(try await fixture.log.head())
            #expect(await failure { try await fixture.accounts.profile(of: birder) } == "gone")
            #expect(await failure { try await fixture.accounts.profile(of: AccountID(UUID())) } == "notFound")
        }
    }
}
