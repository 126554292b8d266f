import Domain
import Foundation
import Imports
import Postgres
import ReadModels
import TestSupport
import Testing

@testable import Service

struct PublicReaderTests {
    private typealias Fixture = UseCaseFixture

    private let grid = MapGrid(zoom: 20)

    /// The kinds of the states in a public history.
    private func kinds(
        _ id: SightingID, asOf moment: PublicMoment, _ fixture: Fixture
    ) async throws -> [PublicSighting.Kind] {
        try await fixture.records.history(id, asOf: moment).compactMap { event in
            if case .sighting(let state, _) = event { state.sighting.kind } else { nil }
        }
    }

    @Test func `a mistake leaves a notice, and what was known before stays known`() async throws {
        try await Fixture.run { fixture in
            let birder = try await fixture.birder()
            let sent = try await fixture.sightings.submit(try Fixture.wren(), by: birder, key: UUID())
            _ = try await withdraw(sent.id, .mistake, birder, fixture)
            let head = try await fixture.follow()
            let (now, then) = (moment(head, head), moment(sent.position, head))
            #expect(try await fixture.records.sighting(sent.id, asOf: now).row.kind == .tombstone)
            let record = try await fixture.records.sighting(sent.id, asOf: then)
            #expect(record.row.kind == .record && record.notes == "in the salal")
            #expect(try await kinds(sent.id, asOf: now, fixture) == [.record, .tombstone])
            #expect(try await kinds(sent.id, asOf: then, fixture) == [.record])
            let before = moment(sent.position - 1, head)
            #expect(await failure { try await fixture.records.sighting(sent.id, asOf: before) } == "notFound")
            #expect(await failure { try await fixture.records.history(sent.id, asOf: before) } == "notFound")
        }
    }

    @Test func `what is withdrawn for privacy is gone at every position`() async throws {
        try await Fixture.run { fixture in
            let birder = try await fixture.birder()
            let sent = try await fixture.sightings.submit(try Fixture.wren(), by: birder, key: UUID())
            let withdrawn = try await withdraw(sent.id, .privacy, birder, fixture)
            let head = try await fixture.follow()
            #expect(head == withdrawn)
            for known in [sent.position, withdrawn] {
                let moment = moment(known, head)
                #expect(await failure { try await fixture.records.sighting(sent.id, asOf: moment) } == "gone")
                #expect(await failure { try await fixture.records.history(sent.id, asOf: moment) } == "gone")
            }
        }
    }

    @Test func `a map has what is known at its position`() async throws {
        try await Fixture.run { fixture in
            let birder = try await fixture.birder()
            let sent = try await fixture.sightings.submit(try Fixture.wren(), by: birder, key: UUID())
            _ = try await withdraw(sent.id, .mistake, birder, fixture)
            let head = try await fixture.follow()
            let taxon = try #require(sent.taxon?.id)
            func ids(_ known: Int64) async throws -> [SightingID] {
                let answer = try await fixture.records.map(
                    of: taxon, MapView(grid: grid), asOf: moment(known, head))
                guard case .points(let points) = answer.answer else { return [] }
                return points.map(\.id)
            }
            #expect(try await ids(sent.position) == [sent.id])
            #expect(try await ids(head).isEmpty)
        }
    }

    @Test func `an observer is named as the account wishes`() async throws {
        try await Fixture.run { fixture in
            let named = try await fixture.birder { $0.displayName = try DisplayName("Jenny") }
            let (unnamed, anonymous) = (
                try await fixture.birder(), try await fixture.birder { $0.attribution = .anonymous }
            )
            var names: [String?] = []
            for birder in [named, unnamed, anonymous] {
                let sent = try await fixture.sightings.submit(try Fixture.wren(), by: birder, key: UUID())
                let head = try await fixture.follow()
                names.append(try await fixture.records.sighting(sent.id, asOf: moment(head, head)).observerName)
            }
            #expect(names == ["Jenny", try await fixture.accounts.profile(of: unnamed).displayName, nil])
        }
    }

    @Test func `a record of a dataset has the title that was known then`() async throws {
        try await Fixture.run { fixture in
            let file = try fixture.log.write("one.csv", WrenRow.file([WrenRow(name: "Troglodytes hiemalis")]))
            let dataset = try await fixture.log.importRows(file).dataset
            let head = try await fixture.follow()
            let id = SightingID(try #require(try await fixture.log.streams()["w1"]))
            var command = DescribeDataset()
            command.title = try DatasetTitle("Another title")
            _ = try await DatasetDescription(log: fixture.log.log).run("\(dataset)", command)
            let now = try await fixture.follow()
            let then = try await fixture.records.sighting(id, asOf: moment(head, now))
            #expect(then.datasetTitle == ImportFixture.title && then.row.dataset == dataset)
            #expect(try await fixture.records.sighting(id, asOf: moment(now, now)).datasetTitle == "Another title")
        }
    }

    private func moment(_ known: Int64, _ shown: Int64) -> PublicMoment { PublicMoment(known: known, shown: shown) }

    private func withdraw(
        _ id: SightingID, _ reason: WithdrawSighting.Reason, _ birder: AccountID, _ fixture: UseCaseFixture
    ) async throws -> Int64 {
        try await fixture.sightings.withdraw(id, reason: reason, ifVersions: nil, by: birder, key: UUID())
    }
}
