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

    @Test func `only the bytes of a table of ranges depend on the borders`() throws {
        let signer = CommandSigner(key: [1])
        for address in [nil, "https://skein.example.org"] {
            var (old, new) = (ExportSite(address: address), ExportSite(address: address))
            old.polygons = PolygonSetCode(unchecked: "ne-50m-v1")
            new.polygons = PolygonSetCode(unchecked: "dcw-1m-v1")
            for format in ExportFormat.allCases {
                let query = ExportQuery(
                    format: format, filter: RecordFilter(kind: .bird), day: try CivilDate("2026-05-01"),
                    outputVersion: ExportOutput.version, site: old.fingerprint(for: format, signer),
                    ranges: format == .ranges ? RangeTerms() : nil)
                var other = query
                other.site = new.fingerprint(for: format, signer)
                #expect(old.makes(query, signer) && new.makes(other, signer))
                #expect(new.makes(query, signer) == (format != .ranges), "\(format)")
                #expect((query.contentID(signer) == other.contentID(signer)) == (format != .ranges), "\(format)")
            }
        }
    }

    @Test func `the terms of a table are part of its id, and other queries keep the text that they had`() throws {
        let signer = CommandSigner(key: [1])
        func query(_ terms: RangeTerms?) throws -> ExportQuery {
            ExportQuery(
                format: .ranges, filter: RecordFilter(kind: .bird), day: try CivilDate("2026-05-01"), outputVersion: 1,
                ranges: terms)
        }
        let (one, other) = (SightingID(UUID()), SightingID(UUID()))
        let terms = [
            RangeTerms(), RangeTerms(period: .fiveYears), RangeTerms(end: .south), RangeTerms(side: try CellSide(50)),
            RangeTerms(withPrompted: true), RangeTerms(without: [one]), RangeTerms(without: [one, other]),
            RangeTerms(taxa: [TaxonID(UUID())]),
        ]
        #expect(Set(try terms.map { try query($0).contentID(signer) }).count == terms.count)
        let (there, back) = (RangeTerms(without: [one, other]), RangeTerms(without: [other, one, one]))
        #expect(try query(there).contentID(signer) == query(back).contentID(signer))
        let csv = ExportQuery(format: .csv, filter: RecordFilter(kind: .bird), day: nil, outputVersion: 1)
        #expect(
            csv.canonical == ["csv", #"{"kind":"bird","status":["accepted-by-source","approved"]}"#, "", "1", ""])
    }
}
