import Testing

@testable import Domain

struct TrendQueryTests {
    private func query(_ filter: RecordFilter = RecordFilter(), metric: MarginMetric = .meanOf10Cells) throws
        -> TrendQuery
    {
        let taxon = try TaxonID(text: "01968a40-1f3c-7b52-8c4e-6d2f9a0b1c3d")
        return TrendQuery(RangeQuery(of: taxon, filter, end: .south), end: .south, metric: metric)
    }

    /// Published seeds depend on it.
    @Test func `the text of a question does not change`() throws {
        #expect(
            try query().canonical(asOf: CivilDate("2026-05-31")) == #"{"trend":1,"#
                + #""taxon":"01968a40-1f3c-7b52-8c4e-6d2f9a0b1c3d","asOf":"2026-05-31","end":"south","#
                + #""metric":"meanOf10Cells","period":"year","cellKm":10,"#
                + #""statuses":["approved","accepted-by-source"],"maxUncertaintyMetres":10000,"qualified":false,"#
                + #""prompted":false,"filter":{}}"#)
    }

    @Test func `equal questions have one text, and others have others`() throws {
        let explicit = RecordFilter(maxUncertainty: try UncertaintyMetres(10_000))
        #expect(try query(explicit).canonical(asOf: nil) == query().canonical(asOf: nil))
        let texts = [
            try query(), try query(metric: .extreme), try query(RecordFilter(statuses: [.pending])),
            try query(RecordFilter(captive: true)), try query(RecordFilter(minConfidence: try Confidence(3))),
            try query(RecordFilter(maxUncertainty: try UncertaintyMetres(1))),
        ].map { $0.canonical(asOf: nil) }
        #expect(Set(texts).count == texts.count)
    }

    @Test func `published figures are rounded`() {
        #expect((-0.38951832).rounded(decimals: 4) == -0.3895 && 1e300.rounded(decimals: 6) == 1e300)
        #expect(6.586409e-07.rounded(significant: 3) == 6.59e-07 && 0.rounded(significant: 3) == 0)
        #expect(1.0.rounded(significant: 3) == 1 && 0.99961.rounded(significant: 3) == 1)
        #expect(1.23456e-305.rounded(significant: 3) == 1.23e-305 && Double.nan.rounded(significant: 3).isNaN)
        #expect(Double.leastNonzeroMagnitude.rounded(significant: 3) >= 0)
    }
}
