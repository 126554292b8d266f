import Domain
import Foundation
import Postgres
import ReadModels
import Testing

@testable import Service

struct AccountChangeTests {
    private typealias Fixture = UseCaseFixture

    /// An account with a public name, and a sighting of it.
    private struct Observer {
        let fixture: UseCaseFixture
        let account: AccountID
        let sighting: SightingID

        init(_ fixture: UseCaseFixture) async throws {
            self.fixture = fixture
            account = try await fixture.birder { $0.displayName = try DisplayName("heron") }
            sighting = try await fixture.sightings.submit(
                try Fixture.wren { $0.name = .set(try VerbatimName("Winter Wren")) }, by: account, key: UUID()
            ).id
        }

        /// - Returns: the position of the change.
        func change(_ edit: (inout ChangeAccount) throws -> Void) async throws -> Int64 {
            var patch = ChangeAccount()
            try edit(&patch)
            return try await fixture.accounts.change(account, patch, ifVersions: nil, key: UUID()).position
        }

        /// The observer's name in the public record; nil for none.
        func name(known: Int64, shown: Int64) async throws -> String? {
            try await fixture.records.sighting(sighting, asOf: PublicMoment(known: known, shown: shown)).observerName
        }

        /// The names in the vault, those of before included.
        func typedNames() async throws -> [String] {
            let result = try await fixture.log.pool.query(
                """
                select value from vault.content
                 where stream = \(account.uuid) and field = 'displayName' and value is not null order by position
                """)
            return try result.rows.map { try $0.decode("value") }
        }
    }

    @Test func `a new name does not change what was known`() async throws {
        try await Fixture.run { fixture in
            let observer = try await Observer(fixture)
            let before = try await fixture.log.head()
            _ = try await observer.change { $0.displayName = .set(try DisplayName("egret")) }
            let head = try await fixture.follow()
            #expect(try await observer.name(known: head, shown: head) == "egret")
            #expect(try await observer.name(known: before, shown: head) == "heron")
        }
    }

    @Test func `forgotten names are erased, and the generated one takes their place`() async throws {
        try await Fixture.run { fixture in
            let observer = try await Observer(fixture)
            let before = try await fixture.log.head()
            _ = try await observer.change { $0.displayName = .set(try DisplayName("egret")) }
            #expect(try await observer.typedNames() == ["heron", "egret"])
            _ = try await observer.change { $0.forgetsFormer = true }
            #expect(try await observer.typedNames() == ["egret"])
            let head = try await fixture.follow()
            #expect(try await observer.name(known: head, shown: head) == "egret")
            #expect(try await observer.name(known: before, shown: head)?.hasPrefix("birder ") == true)
            let profile = try await fixture.accounts.profile(of: observer.account)
            #expect(profile.name == "Ada Wren" && profile.displayName == "egret" && !profile.email.isEmpty)
        }
    }

    @Test func `an anonymous observer has no name, then as now; showing it again is knowledge`() async throws {
        try await Fixture.run { fixture in
            let observer = try await Observer(fixture)
            let before = try await fixture.log.head()
            let hidden = try await observer.change { $0.changes.attribution = .anonymous }
            try await fixture.follow()
            #expect(try await observer.name(known: before, shown: before) == "heron")
            #expect(try await observer.name(known: before, shown: hidden) == nil)
            #expect(try await observer.name(known: hidden, shown: hidden) == nil)
            let head = try await observer.change { $0.changes.attribution = .displayName }
            try await fixture.follow()
            #expect(try await observer.name(known: head, shown: head) == "heron")
            #expect(try await observer.name(known: hidden, shown: head) == nil)
            #expect(try await observer.name(known: before, shown: head) == nil)
        }
    }

    @Test func `a public name that an admin erases is gone at every position`() async throws {
        try await Fixture.run { fixture in
            let observer = try await Observer(fixture)
            let before = try await fixture.log.head()
            let request = AdministrationRequest(by: try await fixture.birder(), key: UUID())
            let profile = try await fixture.accounts.removeDisplayName(
                of: observer.account, for: .offensive, request)
            #expect(profile.displayName.hasPrefix("birder ") && profile.name == "Ada Wren")
            #expect(try await observer.typedNames() == [])
            let head = try await fixture.follow()
            for known in [before, head] {
                #expect(try await observer.name(known: known, shown: head)?.hasPrefix("birder ") == true)
            }
            _ = try await observer.change { $0.displayName = .set(try DisplayName("egret")) }
            let later = try await fixture.follow()
            #expect(try await observer.name(known: later, shown: later) == "egret")
        }
    }

    @Test func `a repeated change has its first outcome, and a state with another region is a fault`() async throws {
        try await Fixture.run { fixture in
            let (birder, key) = (try await fixture.birder(), UUID())
            var patch = ChangeAccount()
            patch.changes.state = .set(try StateCode("US-WA"))
            let first = try await fixture.accounts.change(birder, patch, ifVersions: [1], key: key)
            #expect(first.settings.region?.text == "pacific-northwest" && first.version == 2)
            let again = try await fixture.accounts.change(birder, patch, ifVersions: [1], key: key)
            #expect(again.version == 2 && again.position == first.position)
            patch.changes.region = .set(try RegionCode("hawaii"))
            await #expect(throws: Faults.self) {
                try await fixture.accounts.change(birder, patch, ifVersions: nil, key: UUID())
            }
            var region = ChangeAccount()
            region.changes.region = .set(try RegionCode("hawaii"))
            let fault = Faults([Fault("/region", .otherRegion)])
            await #expect(throws: AccountRejection.invalid(fault)) {
                try await fixture.accounts.change(birder, region, ifVersions: nil, key: UUID())
            }
            let other = await failure { try await fixture.accounts.change(birder, region, ifVersions: [1], key: key) }
            #expect(other == "keyReused")
        }
    }

    @Test func `new defaults hold for the next sighting`() async throws {
        try await Fixture.run { fixture in
            let birder = try await fixture.birder()
            try await fixture.follow()
            try await fixture.directory.refresh()
            _ = try await fixture.directory.status(of: birder)
            var patch = ChangeAccount()
            patch.changes.licence = .cc0
            patch.changes.geoprivacy = .private
            _ = try await fixture.accounts.change(birder, patch, ifVersions: nil, key: UUID())
            let status = try await fixture.directory.status(of: birder)
            #expect(status.licence == .cc0 && status.geoprivacy == .private)
        }
    }

    @Test func `a suspension ends, is lifted, and is no admin's own`() async throws {
        try await Fixture.run { fixture in
            let (birder, admin) = (try await fixture.birder(), try await fixture.birder())
            func request() -> AdministrationRequest { AdministrationRequest(by: admin, key: UUID()) }
            let end = Instant.now.adding(seconds: 3_600)
            let suspended = try await fixture.accounts.suspend(birder, for: .spam, until: end, request())
            #expect(suspended.suspension == Suspension(reason: .spam, until: end))
            let lifted = try await fixture.accounts.reinstate(birder, for: .mistake, request())
            #expect(lifted.suspension == nil && lifted.version == 3)
            let past = Faults([Fault("/until", RuleViolation(.range, "must be in the future"))])
            await #expect(throws: past) {
                try await fixture.accounts.suspend(birder, for: .spam, until: Instant.now, request())
            }
            await #expect(throws: AccountRejection.ownAccount) {
                try await fixture.accounts.suspend(admin, for: .spam, until: nil, request())
            }
        }
    }
}
