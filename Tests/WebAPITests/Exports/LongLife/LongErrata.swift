import Domain
import Exchange
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import TestSupport
import Testing

@testable import Service
@testable import Web

/// Checks the errata of a cited day once the changes are known.
struct LongErrata {
    let served: ServedRoutes
    let cited: CitedDay
    /// When the day of the changes is over.
    private let later = Instant.now.adding(seconds: 2 * 86_400)
    private let today = Instant.now.date()

    init(_ served: ServedRoutes, _ cited: CitedDay) {
        (self.served, self.cited) = (served, cited)
    }

    /// They are the difference of both days record by record, and name what has changed and nothing else.
    func expect(_ knowledge: LaterKnowledge) async throws {
        let (old, new) = (try await table(asOf: cited.day), try await table(asOf: today))
        #expect(try old.rows == OccurrenceTable(cited.export(.tsv).body).rows)
        let expected = old.differences(to: new)
        #expect(try await errata(.tsv) == expected)
        func ids(_ change: String) -> Set<String> { Set(expected.filter { $0.change == change }.map(\.id)) }
        #expect(ids("added") == knowledge.added)
        #expect(ids("removed") == [knowledge.rejected])
        var renamed: Set<String> = []
        for (column, value, columns) in knowledge.renamed {
            let ids = old.ids(column, value).intersection(new.ids)
            #expect(!ids.isEmpty, "\(value)")
            for difference in expected where ids.contains(difference.id) {
                #expect(
                    Set(columns.map(\.name)).isSubset(of: difference.columns),
                    "\(difference)")
            }
            renamed.formUnion(ids)
        }
        #expect(ids("changed") == renamed)
    }

    private func errata(_ format: ExportFormat) async throws -> Set<OccurrenceTable.Difference> {
        let path = "/v1/exports/\(try cited.export(format).id)/errata?asOf=\(today)&limit=200"
        var found: [OccurrenceTable.Difference] = []
        var next = ""
        repeat {
            let page = try await Caller.anonymous(served).read(path + next, at: later)
            try #require(page.status == .ok, "\(String(buffer: page.body))")
            for item in try page["items"]?.items ?? [] {
                found.append(
                    OccurrenceTable.Difference(
                        id: item["occurrenceID"]?.string ?? "", change: item["change"]?.string ?? "",
                        columns: item["columns"]?.items.compactMap(\.string) ?? []))
            }
            next = try page.text("next").map { "&after=\($0)" } ?? ""
        } while !next.isEmpty
        #expect(Set(found).count == found.count, "each is named once")
        return Set(found)
    }

    /// All records as of a day, made as an operator makes them, under the restrictions of now.
    private func table(asOf day: CivilDate) async throws -> OccurrenceTable {
        let cases = served.cases
        let folder = FileManager.default.temporaryDirectory.path + "/errata-\(UUID())"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let files = cases.exports.files(over: cases.ground.pool, in: folder, disk: DiskSpace(of: [folder]))
        return try await ServedRoutes.$now.withValue(later) {
            let file = try await files.make(
                FileExportRequest(format: .tsv, filter: RecordFilter(), asOf: .day(day)))
            return try OccurrenceTable(ByteBuffer(bytes: Data(contentsOf: URL(filePath: file.path))))
        }
    }
}
