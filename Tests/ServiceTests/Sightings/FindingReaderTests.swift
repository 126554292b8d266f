import Domain
import Foundation
import Postgres
import ReadModels
import Testing

@testable import Service

struct FindingReaderTests {
    private typealias Fixture = UseCaseFixture

    @Test func `a history goes as far as its model, with the notes of each of its states`() async throws {
        try await Fixture.run { fixture in
            let birder = try await fixture.birder()
            let id = try await fixture.sightings.submit(try Fixture.wren(), by: birder, key: UUID()).id
            for patch in [
                try Fixture.patch { $0.notes = .cleared },
                try Fixture.patch { $0.changes.count = .set(try IndividualCount(3)) },
            ] {
                _ = try await fixture.sightings.correct(id, patch, ifVersions: nil, by: birder, key: UUID())
            }
            try await fixture.follow()
            // The model lacks this one; its notes must not show in an earlier state.
            let later = try Fixture.patch { $0.notes = .set(try Note("later")) }
            _ = try await fixture.sightings.correct(id, later, ifVersions: nil, by: birder, key: UUID())

            let history = try await fixture.findings.history(of: id, for: .owner(birder))
            #expect(history.map(\.kind) == [.submitted, .corrected, .corrected])
            #expect(history.map(\.values?.notes) == ["in the salal", nil, nil])
            #expect(history.map(\.values?.notesBefore) == [nil, "in the salal", nil])
            #expect(history.map { $0.values?.before?.version } == [nil, 1, 2])
        }
    }

    @Test func `a history is its owner's, and not found before its model has it`() async throws {
        try await Fixture.run { fixture in
            let (birder, other) = (try await fixture.birder(), try await fixture.birder())
            let id = try await fixture.sightings.submit(try Fixture.wren(), by: birder, key: UUID()).id
            #expect(await failure { try await fixture.findings.history(of: id, for: .owner(birder)) } == "notFound")
            try await fixture.follow()
            #expect(await failure { try await fixture.findings.history(of: id, for: .owner(other)) } == "notFound")
            #expect(try await fixture.findings.history(of: id, for: .owner(birder)).count == 1)
        }
    }

    @Test func `a page has the texts that are left, and no finding that is redacted`() async throws {
        try await Fixture.run { fixture in
            let birder = try await fixture.birder()
            var submitted: [Finding] = []
            for _ in 0..<3 {
                submitted.append(try await fixture.sightings.submit(try Fixture.wren(), by: birder, key: UUID()))
            }
            try await fixture.redact(submitted[0].position)
            try await fixture.log.pool.query("DELETE FROM vault.content WHERE stream = \(submitted[1].id.uuid)")
            try await fixture.follow()

            let page = try await fixture.findings.page(of: birder, FindingQueries.Page(limit: 10)).slice.items
            let found = Dictionary(uniqueKeysWithValues: page.map { ($0.id, $0) })
            #expect(Set(found.keys) == [submitted[1].id, submitted[2].id])
            #expect(found[submitted[1].id]?.notes == nil && found[submitted[2].id]?.notes == "in the salal")
            #expect(page.allSatisfy { $0.taxon?.scientificName == "Troglodytes hiemalis" })
        }
    }
}
