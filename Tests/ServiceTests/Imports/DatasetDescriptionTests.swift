import Domain
import EventLog
import Foundation
import Postgres
import Testing

@testable import Imports
@testable import Service

/// A dataset can be renamed, and stays the same dataset.
struct DatasetDescriptionTests {
    private static func titled(_ text: String) throws -> DescribeDataset {
        var command = DescribeDataset()
        command.title = try DatasetTitle(text)
        return command
    }

    private static func datasets(_ log: ImportFixture) async throws -> Int {
        try await log.pool.query("select from log.streams where kind = 'dataset'").count
    }

    @Test func `an import finds a renamed dataset by its new title and by the former one`() async throws {
        try await ImportFixture.run { log in
            let file = try log.write("a.csv", WrenRow.file(WrenRow.many(3)))
            let dataset = try await log.importRows(file).dataset
            let description = DatasetDescription(log: log.log)
            let renamed = try await description.run(ImportFixture.title, try Self.titled("Counts of wrens"))
            #expect(renamed.id == dataset && renamed.isChanged && renamed.texts == [.title: "Counts of wrens"])

            let title = try DatasetTitle("Counts of wrens")
            let new = try await log.importRows(file) { $0.dataset = title }
            #expect(new.dataset == dataset && new.known == 3 && new.accepted == 0 && new.warnings.isEmpty)
            let note = #"this is a former title of the dataset, which is now called "Counts of wrens""#
            let dry = try await log.importRows(file) { $0.dryRun = true }
            #expect(dry.dataset == dataset && dry.known == 3 && dry.warnings == [note])
            let former = try await log.importRows(file)
            #expect(former.dataset == dataset && former.known == 3 && former.accepted == 0)
            #expect(former.warnings == [note])
            #expect(try await Self.datasets(log) == 1)
            #expect(try await log.standing().count == 3)

            let back = try await description.run("\(dataset)", try Self.titled(ImportFixture.title))
            #expect(back.isChanged && back.texts == [.title: ImportFixture.title])
            #expect(try await log.importRows(file) { $0.dataset = title }.known == 3)
            #expect(try await Self.datasets(log) == 1)
        }
    }

    @Test func `no dataset gets a title that another one has or had`() async throws {
        try await ImportFixture.run { log in
            let file = try log.write("a.csv", WrenRow.file(WrenRow.many(1)))
            let other = try DatasetTitle("Other counts")
            let first = try await log.importRows(file).dataset
            let second = try await log.importRows(file) { $0.dataset = other }.dataset
            #expect(first != second)
            let description = DatasetDescription(log: log.log)
            _ = try await description.run("\(first)", try Self.titled("New title"))
            let head = try await log.head()
            for title in ["New title", ImportFixture.title] {
                await #expect(throws: ImportError.titleTaken) {
                    _ = try await description.run("\(second)", try Self.titled(title))
                }
            }
            // An import that looked the title up before the dataset got it.
            let late = ImportedDataset(log: log.log, id: DatasetID(log.log.signer.id(of: "dataset", "New title")))
            await #expect(throws: ImportError.titleTaken) {
                try await late.register(RegisterDataset(title: try DatasetTitle("New title")))
            }
            #expect(try await log.head() == head)
            for unknown in ["No such title", "\(UUID())"] {
                await #expect(throws: ImportError.unknownDataset) {
                    _ = try await description.run(unknown, try Self.titled("Any title"))
                }
            }
        }
    }

    @Test func `credits are set and removed beside the log, and the same ones again change nothing`() async throws {
        try await ImportFixture.run { log in
            let file = try log.write("a.csv", WrenRow.file(WrenRow.many(1)))
            let (misspelt, credit) = (try CreditLine("Wren Sociey"), try CreditLine("Wren Society"))
            let dataset = try await log.importRows(file) { ($0.publisher, $0.citation) = (misspelt, misspelt) }.dataset
            var command = DescribeDataset()
            (command.publisher, command.citation, command.rightsHolder) = (.set(credit), .cleared, .set(credit))
            let description = DatasetDescription(log: log.log)
            let done = try await description.run("\(dataset)", command)
            let texts: [ContentField: String] = [
                .title: ImportFixture.title, .publisher: "Wren Society", .rightsHolder: "Wren Society",
            ]
            #expect(done.isChanged && done.texts == texts)
            let event = try #require(try await log.reader.stream(dataset.uuid).last)
            #expect(event.type == "DatasetDescribed" && event.actor == nil)
            #expect(event.payload == #"{"content":["publisher","citation","rightsHolder"]}"#)

            let head = try await log.head()
            let again = try await description.run("\(dataset)", command)
            #expect(!again.isChanged && again.texts == texts && "\(again)".contains("nothing changed"))
            #expect(try await log.head() == head)
            // An import does not change them, and says so.
            let later = try await log.importRows(file) { $0.publisher = misspelt }
            #expect(later.warnings.contains { $0.contains("skein dataset describe") })
            #expect(try await description.run("\(dataset)", command).texts == texts)
        }
    }
}
