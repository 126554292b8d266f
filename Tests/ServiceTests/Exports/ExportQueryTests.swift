import Domain
import Foundation
import Testing

@testable import Service

struct ExportQueryTests {
    @Test func `an archive is a version of the same dataset as long as the filter is the same`() throws {
        let signer = CommandSigner(key: [1])
        func query(_ contact: String, day: String, version: Int = 1, _ filter: RecordFilter) throws -> ExportQuery {
            let site = ExportSite(address: "https://skein.example.org", organisation: "Wrens", contact: contact)
            return ExportQuery(
                format: .dwca, filter: filter, day: try CivilDate(day), outputVersion: version,
                site: site.fingerprint(for: .dwca, signer))
        }
        let birds = RecordFilter(kind: .bird)
        let first = try query("a@example.org", day: "2026-05-01", birds)
        let later = try query("b@example.org", day: "2027-05-01", version: 2, birds)
        #expect(first.datasetID(signer) == later.datasetID(signer))
        #expect(first.contentID(signer) != later.contentID(signer))
        let mammals = try query("a@example.org", day: "2026-05-01", RecordFilter(kind: .mammal))
        #expect(first.datasetID(signer) != mammals.datasetID(signer))
        #expect(first.datasetID(signer) != first.datasetID(CommandSigner(key: [2])))
    }
}
