import Testing

@testable import Domain

struct TaxonDeciderTests {
    private func added() throws -> TaxonAdded {
        guard case .added(let payload) = try EveryEvent.taxon()[0] else { throw TestSetUpError() }
        return payload
    }

    private struct TestSetUpError: Error {}

    @Test func `a taxon is added once`() throws {
        given(TaxonDecider.self).when(.add(try added())).then([.added(try added())])
        given(TaxonDecider.self, [.added(try added())]).when(.add(try added())).thenNothing()
    }

    @Test func `what is known changes nothing`() throws {
        let wren = given(TaxonDecider.self, [.added(try added())])
        let payload = try added()
        wren.when(.name(TaxonNamed(payload.names[0]))).thenNothing()
        wren.when(.addSynonym(TaxonSynonymAdded(name: payload.synonyms[0]))).thenNothing()
        wren.when(.addSynonym(TaxonSynonymAdded(name: payload.scientificName))).thenNothing()
        wren.when(.move(Samples.id(20), to: payload.parent)).thenNothing()
        wren.when(.describe(TaxonDescribed(link: Change(initial: payload.link)))).thenNothing()
        wren.when(.setSensitivity(TaxonSensitivitySet(category: nil))).thenNothing()
    }

    @Test func `what is new is an event`() throws {
        let wren = given(TaxonDecider.self, [.added(try added())])
        let name = TaxonNamed(CommonName(language: .english, name: try PublishedText("Western Wren")))
        let named = wren.when(.name(name)).then([.named(name)])
        #expect(named.next.taxon?.preferredName(in: .english)?.text == "Western Wren")
        #expect(named.next.taxon?.names.count == 2, "the older name still finds the taxon")
        let synonym = TaxonSynonymAdded(name: try PublishedText("Anorthura pacifica"))
        #expect(wren.when(.addSynonym(synonym)).then([.synonymAdded(synonym)]).next.taxon?.synonyms.count == 2)
        wren.when(.move(Samples.id(20), to: nil)).then([.moved(TaxonMoved(parent: nil))])
        wren.when(.move(Samples.id(20), to: Samples.id(20))).thenRejected(.ownParent)
        wren.when(.describe(TaxonDescribed(description: .cleared, link: .unset)))
            .then([.described(TaxonDescribed(description: .cleared))])
        let category = TaxonSensitivitySet(category: .two, reason: try PublishedText("nest disturbance"))
        #expect(
            wren.when(.setSensitivity(category)).then([.sensitivitySet(category)]).next.taxon?.sensitivity == category)
    }

    @Test func `an unknown taxon is not found`() throws {
        given(TaxonDecider.self).when(.addSynonym(TaxonSynonymAdded(name: try PublishedText("A b")))).thenRejected(
            .notFound)
    }

    @Test func `an older name can be preferred again`() throws {
        let (old, new) = (try added().names[0], CommonName(language: .english, name: try PublishedText("Western Wren")))
        let state = TaxonState(replaying: [.added(try added()), .named(TaxonNamed(new)), .named(TaxonNamed(old))])
        #expect(state.taxon?.names == [old, new])
    }
}
