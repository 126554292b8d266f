import Domain
import EventLog
import Foundation
import Testing

@testable import Imports
@testable import Service

struct KeyedIDTests {
    @Test func `an id of content is the same for the same parts and key, and for nothing else`() {
        let signer = CommandSigner(key: [1])
        #expect(signer.id(of: "ab", "c") == CommandSigner(key: [1]).id(of: "ab", "c"))
        #expect(signer.id(of: "ab", "c") != signer.id(of: "a", "bc"))
        #expect(signer.id(of: "ab", "c") != CommandSigner(key: [2]).id(of: "ab", "c"))
        #expect(signer.id(of: "ab", "c") != CommandID.named("ab", "c"))
    }

    /// A stranger who knows all of a row but its place would try all places.
    @Test func `the id of an imported row cannot be computed without the key`() async throws {
        try await ImportFixture.run { log in
            var row = WrenRow()
            row.id = ""
            let file = try log.write("a.csv", WrenRow.file([row]))
            _ = try await log.importRows(file)
            let (stream, state) = try #require(try await log.sightings().first)
            let record = try #require(state.record)
            let (dataset, content) = (try #require(record.dataset).description, try #require(record.occurrence).text)
            #expect(stream == log.log.signer.id(of: "occurrence", dataset, "row", content, "1"))
            #expect(stream != CommandID.named("occurrence", dataset, "row", content, "1"))
            #expect(dataset != DatasetID(CommandID.named("dataset", ImportFixture.title)).description)
        }
    }
}
