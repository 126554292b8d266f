import Domain
import TestRandom
import Testing

struct TaxonSearchTests {
    private let names = SmallTree.names

    private func found(_ text: String, kind: TaxonKind? = nil, limit: Int = 10) -> [String] {
        names.search(text, kind: kind, limit: limit).map(\.name)
    }

    @Test func `the best names come first`() {
        #expect(found("larus") == ["Larus", "Larus argentatus", "Larus fuscus", "Larus glaucescens"])
        #expect(names.search("larus", limit: 1).first?.quality == .exact)
        #expect(found("gull") == ["Glaucous-winged Gull", "Herring Gull", "Lesser Black-backed Gull"])
        #expect(found("gla gul") == ["Glaucous-winged Gull"])
        #expect(found("GOELAND ARG") == ["Goéland argenté"])
        #expect(found("escens") == ["Larus glaucescens"], "a part of a word")
        #expect(found("la", limit: 2).count == 2)
    }

    @Test func `a taxon comes once`() {
        let hits = names.search("l", limit: 100)
        #expect(Set(hits.map(\.taxon)).count == hits.count)
    }

    @Test func `misspelled names are found`() {
        #expect(found("Larus argentatis").first == "Larus argentatus")
        #expect(found("hering gul").first == "Herring Gull")
        #expect(names.suggestions(for: "Lraus fuscus", limit: 1).map(\.name) == ["Larus fuscus"])
        #expect(names.suggestions(for: "completely different", limit: 5).isEmpty)
        #expect(names.search("Larus argentatis", limit: 1).first?.quality == .similar)
    }

    @Test func `a kind narrows the search`() {
        #expect(found("l", kind: .mammal) == ["Lynx rufus"])
        #expect(found("larus", kind: .mammal).isEmpty)
        #expect(names.suggestions(for: "lynx rufis", kind: .bird, limit: 5).isEmpty)
    }

    @Test func `nothing is found by nothing`() {
        #expect(found("").isEmpty && found(" - ").isEmpty && found("larus", limit: 0).isEmpty)
    }

    @Test func `answers do not depend on the order of entries`() {
        var random = RandomSource(seed: 6)
        for _ in 0..<5 {
            let other = TaxonNames(SmallTree.entries.shuffled(using: &random))
            for text in ["l", "gull", "grebe", "larus", "colaptes a", "us", "hering gul", "e"] {
                #expect(other.search(text, limit: 20) == names.search(text, limit: 20))
                #expect(other.suggestions(for: text, limit: 20) == names.suggestions(for: text, limit: 20))
                #expect(other.resolve(text) == names.resolve(text))
            }
        }
    }

    @Test func `search finds what a scan finds`() {
        for text in ["lar", "arg", "us a", "gull", "aur", "cla", "ter", "escens", "grebe", "cafer", "flick"] {
            let scanned = SmallTree.entries.filter { entry in
                ([entry.scientificName] + entry.commonNames.map(\.name) + entry.synonyms).contains {
                    $0.lowercased().contains(text)
                }
            }
            #expect(Set(names.search(text, limit: 100).map(\.taxon)) == Set(scanned.map(\.id)), "\(text)")
        }
    }
}
