import Domain
import Foundation
import Testing

@testable import Exchange

struct RangeColumnTests {
    /// Those of `ranges-1` as they were first published. Further columns may follow; none of these may change.
    private static let first = [
        "taxon", "scientificName", "region", "from", "to", "week", "records", "cells", "visits", "observers",
        "generalised",
        "southLatitude", "southSightingID", "southMeanOf10Cells", "southGamma95", "southGammaShape", "southGammaScale",
        "southGammaReference", "southGammaCells", "southGammaBeyondData", "q05", "q10", "southTruncated",
        "northLatitude", "northSightingID", "northMeanOf10Cells", "northGamma95", "northGammaShape", "northGammaScale",
        "northGammaReference", "northGammaCells", "northGammaBeyondData", "q90", "q95", "northTruncated", "q50",
        "centroidLatitude", "centroidLongitude", "hullKm2", "eooKm2", "eooIucnKm2", "eooReason", "aooKm2", "aooMinKm2",
        "aooMaxKm2", "leftOutCaptive", "leftOutQualified", "leftOutPrompted", "leftOutUncertain", "leftOutNoPlace",
        "leftOutNoConfidence", "leftOutLowConfidence", "leftOutPeriod", "missing",
    ]

    @Test func `columns are only ever added, at the end`() {
        #expect(Array(RangeColumn.allCases.map(\.name).prefix(Self.first.count)) == Self.first)
    }

    @Test func `every reason that a record of an export may have is counted in a column`() {
        for reason in LeftOutReason.allCases {
            #expect((RangeColumn(counting: reason) == nil) == (reason == .pending), "\(reason)")
        }
        #expect(RangeColumn(counting: .noPlace) == .leftOutNoPlace)
        #expect(RangeColumn.taxon.term == "http://rs.tdwg.org/dwc/terms/taxonID")
    }

    @Test func `the document lists the columns in their order, with their types and units`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appendingPathComponent("docs/exports.md"), encoding: .utf8)
        let table = try #require(text.components(separatedBy: "| column | type | contents |\n").dropFirst().first)
        let rows = table.components(separatedBy: "\n\n")[0].split(separator: "\n").filter { $0.hasPrefix("| `") }
        let listed = rows.map { row in
            row.split(separator: "|").prefix(2).map { $0.trimmingCharacters(in: .whitespaces) }
        }
        let expected = RangeColumn.allCases.map { column in
            ["`\(column.name)`", column.kind.rawValue + (column.unit.map { ", \($0)" } ?? "")]
        }
        #expect(listed == expected)
    }
}
