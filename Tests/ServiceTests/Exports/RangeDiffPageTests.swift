import Domain
import Exchange
import Foundation
import Testing

@testable import Service

struct RangeDiffPageTests {
    @Test func `a page goes on after a figure, whatever is gone of those before`() throws {
        let taxon = TaxonID(UUID())
        func difference(_ region: String?, _ year: Int?, _ column: RangeColumn) -> RangeDifference {
            RangeDifference(
                taxon: taxon, scientificName: nil, region: region.map { RegionCode(unchecked: $0) },
                period: year.map { .years(from: $0, to: $0) }, column: column, before: "1", after: "2")
        }
        let all = [
            difference(nil, 2001, .records), difference(nil, 2001, .q50), difference(nil, 2001, .leftOutCaptive),
            difference(nil, 2002, .records), difference(nil, nil, .leftOutPeriod),
            difference("alaska", 2001, .records), difference("california", 2000, .cells),
        ]
        for (index, one) in all.enumerated() {
            let key = RangeDiffPage.Key(one)
            #expect(all.filter { key.precedes($0) } == Array(all[(index + 1)...]))
            #expect(RangeDiffPage.Key(taxon, one.region, one.period, metric: one.metric) == key)
        }
        #expect(!all.contains { RangeDiffPage.Key.end(of: taxon).precedes($0) })
        #expect(RangeDiffPage.Key(taxon, nil, nil, metric: "wings") == nil)
    }
}
