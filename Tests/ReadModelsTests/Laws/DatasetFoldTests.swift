import Domain
import EventLog
import FoundationEssentials
import ReadModels
import Testing

struct DatasetFoldTests {
    @Test func `an imports life`() async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install([.datasets])
            let (dataset, first, second) = (UUID(), UUID(), UUID())
            let file = String(repeating: "0a", count: 32)
            var writer = LogWriter(fixture.owner)
            func event(_ type: String, _ members: [String: JSONText]) -> GeneratedEvent {
                GeneratedEvent(dataset, "dataset", type, members)
            }
            try await writer.append([
                event("DatasetRegistered", ["licence": "CC0-1.0", "republish": "no"]),
                event("ImportStarted", ["batch": .id(first), "file": .text(file)]),
                event(
                    "ImportFinished",
                    ["batch": .id(first), "accepted": 1, "known": 2, "corrected": 3, "withdrawn": 4, "refused": 5]),
                event("ImportStarted", ["batch": .id(second), "file": .text(file)]),
            ])
            try await fixture.follow([.datasets])
            try await writer.append([
                event("ImportUndone", ["batch": .id(first), "withdrawn": 6]),
                event("DatasetDescribed", ["content": .array(["title"])]),
            ])
            try await fixture.follow([.datasets])

            let queries = DatasetQueries(fixture.pool)
            let row = try #require(try await queries.datasets().first)
            #expect(row.licence == .cc0 && row.republish == .no && row.version == 6 && row.position == 6)
            let batches = try await queries.batches(of: DatasetID(dataset))
            #expect(batches.map(\.id) == [BatchID(first), BatchID(second)])
            let outcome = try #require(batches[0].outcome)
            #expect((outcome.accepted, outcome.known, outcome.corrected) == (1, 2, 3))
            #expect((outcome.withdrawn, outcome.rejected) == (4, 5))
            #expect(batches[0].file?.text == file && batches[0].undoing?.withdrawn == 6 && batches[0].undoneAt != nil)
            #expect(batches[1].finishedAt == nil && batches[1].outcome == nil && batches[1].undoneAt == nil)
        }
    }
}
