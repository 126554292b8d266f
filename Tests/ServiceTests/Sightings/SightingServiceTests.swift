import Domain
import EventLog
import Foundation
import TestSupport
import Testing

@testable import Service

struct SightingServiceTests {
    private typealias Fixture = UseCaseFixture

    @Test func `a submission sent twice at once is recorded once, and both get the same finding`() async throws {
        try await Fixture.run { fixture in
            let (birder, key, request) = (try await fixture.birder(), UUID(), try Fixture.wren())
            let before = try await fixture.log.head()
            let (findings, failures) = await atOnce(
                (0..<2).map { _ in { try await fixture.sightings.submit(request, by: birder, key: key) } })
            #expect(failures.isEmpty && Set(findings.map(\.id)).count == 1)
            #expect(findings.allSatisfy { $0.version == 1 && $0.notes == "in the salal" })
            #expect(try await fixture.log.head() == before + 1)
        }
    }

    @Test func `of two requests sent at once under one key, one is recorded`() async throws {
        try await Fixture.run { fixture in
            let (birder, key) = (try await fixture.birder(), UUID())
            let requests = try (1...2).map { count in
                try Fixture.wren { $0.changes.count = .set(try IndividualCount(count)) }
            }
            let (findings, failures) = await atOnce(
                requests.map { request in { try await fixture.sightings.submit(request, by: birder, key: key) } })
            #expect(findings.count == 1 && failures == ["keyReused"])
        }
    }

    @Test func `a key counts for one sighting: the same one changes another as well, at once or later`() async throws {
        try await Fixture.run { fixture in
            let (birder, key) = (try await fixture.birder(), UUID())
            var ids: [SightingID] = []
            for _ in 0..<3 {
                ids.append(try await fixture.sightings.submit(try Fixture.wren(), by: birder, key: UUID()).id)
            }
            let patch = try Fixture.patch { $0.notes = .set(try Note("on a stump")) }
            let (findings, failures) = await atOnce(
                ids.prefix(2).map { id in
                    { try await fixture.sightings.correct(id, patch, ifVersions: [1], by: birder, key: key) }
                })
            #expect(failures.isEmpty && Set(findings.map(\.id)) == Set(ids.prefix(2)))
            let later = try await fixture.sightings.correct(ids[2], patch, ifVersions: [1], by: birder, key: key)
            #expect(later.id == ids[2] && later.version == 2)
        }
    }

    @Test func `a submission sent again is found, even if its account has no defaults by now`() async throws {
        try await Fixture.run { fixture in
            let (birder, key, request) = (try await fixture.birder(), UUID(), try Fixture.wren())
            let registered = try await fixture.log.head()
            let first = try await fixture.sightings.submit(request, by: birder, key: key)
            try await fixture.redact(registered)
            let afresh = fixture.sightings(appendingBy: fixture.log.appender)
            #expect(try await afresh.submit(request, by: birder, key: key).id == first.id)
            #expect(await failure { try await afresh.submit(request, by: birder, key: UUID()) } == "notFound")
        }
    }

    @Test func `corrections sent at once are all kept unless they name a version`() async throws {
        try await Fixture.run { fixture in
            let birder = try await fixture.birder()
            let id = try await fixture.sightings.submit(try Fixture.wren(), by: birder, key: UUID()).id
            let patches = [
                try Fixture.patch { $0.changes.count = .set(try IndividualCount(3)) },
                try Fixture.patch { $0.notes = .set(try Note("on a stump")) },
                try Fixture.patch { $0.changes.confidence = try Confidence(9) },
                try Fixture.patch { $0.name = .set(try VerbatimName("Pacific Wren")) },
            ]
            func correct(_ versions: Set<Int>?) async -> (outcomes: [Finding], failures: [String]) {
                await atOnce(
                    patches.map { patch in
                        {
                            try await fixture.sightings.correct(
                                id, patch, ifVersions: versions, by: birder, key: UUID())
                        }
                    })
            }
            let named = await correct([1])
            #expect(named.outcomes.map(\.version) == [2])
            #expect(named.failures.count == 3 && Set(named.failures) == ["stale(actualVersion: 2)"])
            // The one that came first changes nothing now.
            #expect(await correct(nil).outcomes.count == 4)
            let finding = try await fixture.sightings.finding(id, of: birder)
            #expect(finding.version == 5 && finding.notes == "on a stump" && finding.verbatimName == "Pacific Wren")
            #expect(finding.details.count?.value == 3 && finding.details.confidence?.value == 9)
        }
    }

    @Test func `a repeated correction is answered as it was first, with the notes of then`() async throws {
        try await Fixture.run { fixture in
            let (birder, key) = (try await fixture.birder(), UUID())
            let id = try await fixture.sightings.submit(try Fixture.wren(), by: birder, key: UUID()).id
            let patch = try Fixture.patch { $0.notes = .set(try Note("on a stump")) }
            let first = try await fixture.sightings.correct(id, patch, ifVersions: [1], by: birder, key: key)
            let clearing = try Fixture.patch { $0.notes = .cleared }
            let cleared = try await fixture.sightings.correct(id, clearing, ifVersions: [2], by: birder, key: UUID())
            #expect(cleared.version == 3 && cleared.notes == nil)
            let again = try await fixture.sightings.correct(id, patch, ifVersions: [1], by: birder, key: key)
            #expect(again.version == 2 && again.position == first.position && again.notes == "on a stump")
            let other = await failure {
                try await fixture.sightings.correct(id, patch, ifVersions: [2], by: birder, key: key)
            }
            #expect(other == "keyReused")
        }
    }

    @Test func `once it is withdrawn, repeated commands say so and new ones are rejected`() async throws {
        try await Fixture.run { fixture in
            let (birder, keys) = (try await fixture.birder(), [UUID(), UUID(), UUID()])
            let (request, patch) = (try Fixture.wren(), try Fixture.patch { $0.notes = .cleared })
            let id = try await fixture.sightings.submit(request, by: birder, key: keys[0]).id
            func correct(_ key: UUID) async throws -> Finding {
                try await fixture.sightings.correct(id, patch, ifVersions: nil, by: birder, key: key)
            }
            func withdraw() async throws -> Int64 {
                try await fixture.sightings.withdraw(id, reason: .mistake, ifVersions: nil, by: birder, key: keys[2])
            }
            _ = try await correct(keys[1])
            let position = try await withdraw()
            #expect(try await withdraw() == position)
            #expect(await failure { try await correct(keys[1]) } == "withdrawn")
            let submitted = await failure {
                try await fixture.sightings.submit(request, by: birder, key: keys[0])
            }
            #expect(submitted == "withdrawn")
            await #expect(throws: SightingRejection.withdrawn(.mistake)) { try await correct(UUID()) }
            #expect(try await fixture.sightings.finding(id, of: birder).status == .withdrawn)
        }
    }

    @Test func `a correction and a withdrawal sent at once leave it withdrawn`() async throws {
        try await Fixture.run { fixture in
            let birder = try await fixture.birder()
            for _ in 0..<8 {
                let id = try await fixture.sightings.submit(try Fixture.wren(), by: birder, key: UUID()).id
                let patch = try Fixture.patch { $0.notes = .cleared }
                let (positions, failures) = await atOnce([
                    { @Sendable in
                        try await fixture.sightings.correct(id, patch, ifVersions: nil, by: birder, key: UUID())
                            .position
                    },
                    { @Sendable in
                        try await fixture.sightings.withdraw(
                            id, reason: .privacy, ifVersions: nil, by: birder, key: UUID())
                    },
                ])
                #expect(positions.count + failures.count == 2 && failures.allSatisfy { $0.hasPrefix("withdrawn(") })
                let finding = try await fixture.sightings.finding(id, of: birder)
                #expect(finding.status == .withdrawn && finding.position == positions.max())
            }
        }
    }

    @Test func `a sighting is its owner's, and an account is needed`() async throws {
        try await Fixture.run { fixture in
            let (birder, other, key) = (try await fixture.birder(), try await fixture.birder(), UUID())
            let (request, patch) = (try Fixture.wren(), try Fixture.patch { $0.notes = .cleared })
            let id = try await fixture.sightings.submit(request, by: birder, key: key).id
            // Another's key is no key to the first outcome.
            #expect(try await fixture.sightings.submit(request, by: other, key: key).id != id)
            let head = try await fixture.log.head()
            let failures = [
                await failure { try await fixture.sightings.finding(id, of: other) },
                await failure {
                    try await fixture.sightings.correct(id, patch, ifVersions: [7], by: other, key: UUID())
                },
                await failure {
                    try await fixture.sightings.withdraw(
                        id, reason: .mistake, ifVersions: nil, by: other, key: UUID())
                },
                await failure {
                    try await fixture.sightings.submit(request, by: AccountID(UUID()), key: UUID())
                },
            ]
            #expect(failures == Array(repeating: "notFound", count: 4))
            #expect(try await fixture.log.head() == head)
        }
    }

    @Test func `what cannot be appended is unavailable, and is recorded when it is sent again`() async throws {
        try await Fixture.run { fixture in
            let (birder, key, request) = (try await fixture.birder(), UUID(), try Fixture.wren())
            let closed = Appender(configuration: fixture.log.database.service, head: HeadSignal(), logger: .quiet)
            closed.close()
            let unavailable = await failure {
                try await fixture.sightings(appendingBy: closed).submit(request, by: birder, key: key)
            }
            #expect(unavailable?.hasPrefix("unavailable(") == true, "\(unavailable ?? "")")
            #expect(try await fixture.sightings.submit(request, by: birder, key: key).version == 1)
        }
    }

    @Test func `a date means another interval when the sighting is moved to another zone`() async throws {
        try await Fixture.run { fixture in
            let birder = try await fixture.birder()
            let before = try await fixture.sightings.submit(try Fixture.wren(), by: birder, key: UUID())
            let patch = try Fixture.patch { $0.longitude = -80.0 }
            let after = try await fixture.sightings.correct(
                before.id, patch, ifVersions: nil, by: birder, key: UUID())
            #expect(after.details.coordinate.latitude == before.details.coordinate.latitude)
            #expect(after.details.observed.zone != before.details.observed.zone)
            #expect(after.details.observed.from < before.details.observed.from)
        }
    }

    @Test func `a name that may mean a sensitive taxon is judged, and no correction takes that back`() async throws {
        try await Fixture.run { fixture in
            let birder = try await fixture.birder()
            let sent = try await fixture.sightings.submit(
                try Fixture.wren { $0.name = .set(try VerbatimName("2 Pacific Wrens")) }, by: birder, key: UUID())
            func sensitivity() async throws -> SensitivityCategory? {
                try await fixture.log.sightings()[sent.id.uuid]?.sensitivity
            }
            #expect(sent.taxon == nil && sent.suggestions.map(\.scientificName).contains("Troglodytes pacificus"))
            #expect(try await sensitivity() == .four)
            for name in ["Troglodytes hiemalis", "brown bird"] {
                let patch = try Fixture.patch { $0.name = .set(try VerbatimName(name)) }
                _ = try await fixture.sightings.correct(sent.id, patch, ifVersions: nil, by: birder, key: UUID())
                #expect(try await sensitivity() == .four)
            }
        }
    }

    @Test func `a correction to a name that may mean a sensitive taxon is judged`() async throws {
        try await Fixture.run { fixture in
            let birder = try await fixture.birder()
            let sent = try await fixture.sightings.submit(try Fixture.wren(), by: birder, key: UUID())
            let patch = try Fixture.patch { $0.name = .set(try VerbatimName("pacificwren")) }
            _ = try await fixture.sightings.correct(sent.id, patch, ifVersions: nil, by: birder, key: UUID())
            #expect(try await fixture.log.sightings()[sent.id.uuid]?.sensitivity == .four)
        }
    }
}
