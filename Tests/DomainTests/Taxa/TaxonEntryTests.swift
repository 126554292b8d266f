import Testing

@testable import Domain

struct TaxonEntryTests {
    @Test func `a taxon is found by the names of its events`() throws {
        let state = TaxonState(replaying: try EveryEvent.taxon().dropLast(2))
        let taxon = try #require(state.taxon)
        let names = TaxonNames([TaxonEntry(Samples.id(20), taxon)])
        let expected = NameMatch(taxon: Samples.id(20), sensitivity: .two)
        for name in ["Troglodytes pacificus", "Nannus pacificus", "pacific wren"] {
            #expect(names.resolve(name) == .match(expected))
        }
        #expect(names.summary(of: Samples.id(20))?.parent == nil, "its parent is not among the entries")
    }
}
