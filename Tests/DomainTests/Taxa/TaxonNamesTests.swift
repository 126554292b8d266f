import TestRandom
import Testing

@testable import Domain

struct TaxonNamesTests {
    private let names = SmallTree.names

    private func id(_ name: String) -> TaxonID { SmallTree.id(name) }

    private func match(_ text: String) -> NameMatch? {
        guard case .match(let match) = names.resolve(text) else { return nil }
        return match
    }

    private func plain(_ name: String, isWhole: Bool = true) -> NameMatch {
        NameMatch(taxon: id(name), sensitivity: names.sensitivity(of: id(name)), isWhole: isWhole)
    }

    @Test(arguments: [
        ("Larus argentatus", "Larus argentatus"), ("larus ARGENTATUS ", "Larus argentatus"),
        ("  Larus\u{A0} \targentatus", "Larus argentatus"), ("Larus \u{200B}\u{200B}argentatus", "Larus argentatus"),
        ("Larus_argentatus", "Larus argentatus"), ("Herring Gull", "Larus argentatus"),
        ("Goéland argenté", "Larus argentatus"), ("goeland  argente", "Larus argentatus"),
        ("Goe\u{301}land argente\u{301}", "Larus argentatus"), ("Clarks grebe", "Aechmophorus clarkii"),
        ("Clark’s Grebe", "Aechmophorus clarkii"), ("Glaucous winged gull", "Larus glaucescens"),
        ("Laridae", "Laridae"), ("Colaptes auratus cafer", "Colaptes auratus cafer"),
        ("Colaptes auratus subsp. cafer", "Colaptes auratus cafer"), ("Colaptes cafer", "Colaptes auratus cafer"),
        ("Northern Flicker", "Colaptes auratus"), ("カモメ", "Larus argentatus"),
    ])
    func `finds plain names`(text: String, taxon: String) {
        #expect(match(text) == plain(taxon))
    }

    @Test(
        arguments: [
            ("Larus sp.", "Larus", TaxonQualifier.sp, []), ("LARUS SPP", "Larus", .sp, []),
            ("Laridae sp.", "Laridae", .sp, []),
            ("Larus sp. (unknown gull)", "Larus", .sp, []),
            ("Larus argentatus/fuscus", "Larus", .slash, ["Larus argentatus", "Larus fuscus"]),
            ("Larus argentatus / Larus fuscus", "Larus", .slash, ["Larus argentatus", "Larus fuscus"]),
            ("Larus argentatus/L. fuscus", "Larus", .slash, ["Larus argentatus", "Larus fuscus"]),
            ("Larus argentatus or fuscus", "Larus", .slash, ["Larus argentatus", "Larus fuscus"]),
            ("Western/Clark's Grebe", "Aechmophorus", .slash, ["Aechmophorus occidentalis", "Aechmophorus clarkii"]),
            ("Laridae/Picidae sp.", "Aves", .slash, ["Laridae", "Picidae"]),
            ("Larus argentatus x glaucescens", "Larus", .hybrid, ["Larus argentatus", "Larus glaucescens"]),
            ("Larus argentatus × Larus glaucescens", "Larus", .hybrid, ["Larus argentatus", "Larus glaucescens"]),
            ("Herring x Glaucous-winged Gull (hybrid)", "Larus", .hybrid, ["Larus argentatus", "Larus glaucescens"]),
            (
                "Colaptes auratus auratusxcafer", "Colaptes auratus", .hybrid,
                ["Colaptes auratus auratus", "Colaptes auratus cafer"]
            ),
            ("Larus cf. fuscus", "Larus fuscus", .cf, ["Larus fuscus"]),
            ("cf. Larus fuscus", "Larus fuscus", .cf, ["Larus fuscus"]),
            ("Larus fuscus?", "Larus fuscus", .cf, ["Larus fuscus"]),
            ("Larus fuscus (?)", "Larus fuscus", .cf, ["Larus fuscus"]),
            ("Larus cf. fuscus Linnaeus, 1758", "Larus fuscus", .cf, ["Larus fuscus"]),
            ("Larus fuscus cf. unknownus", "Larus fuscus", .cf, ["Larus fuscus"]), ("Larus?", "Larus", .cf, ["Larus"]),
            ("Larus aff. fuscus", "Larus", .aff, ["Larus fuscus"]),
            ("cf. Herring Gull", "Larus argentatus", .cf, ["Larus argentatus"]),
            ("probable Herring Gull", "Larus argentatus", .cf, ["Larus argentatus"]),
            ("Herring Gull (prob.)", "Larus argentatus", .cf, ["Larus argentatus"]),
            ("Possibly Herring Gull", "Larus argentatus", .cf, ["Larus argentatus"]),
            ("Herring Gull? 2nd winter", "Larus argentatus", .cf, []),
            ("Larus argentatus/fuscus?", "Larus", .slash, ["Larus argentatus", "Larus fuscus"]),
            ("Larus cf. unknownus", "Larus", .cf, []),
        ] as [(String, String, TaxonQualifier, [String])])
    func `finds names with qualifiers`(text: String, taxon: String, qualifier: TaxonQualifier, members: [String]) {
        let match = match(text)
        #expect(match?.taxon == id(taxon) && match?.qualifier == qualifier && match?.members == members.map(id))
    }

    @Test(arguments: [
        ("Larus argentatus Pontoppidan, 1763", "Larus argentatus"),
        ("Larus argentatus smithsonianus", "Larus argentatus"),
        ("Colaptes auratus cafer (Gmelin, JF, 1788)", "Colaptes auratus cafer"),
        ("Laridae Rafinesque, 1815", "Laridae"),
    ])
    func `finds the scientific beginning`(text: String, taxon: String) {
        #expect(match(text) == plain(taxon, isWhole: text.hasSuffix(")")))
    }

    @Test(arguments: [
        "", " ", "Larus argentatis", "Larus Argentatis", "Larus unknownus", "Larus argentatus and fuscus", "sp.", "cf.",
        "x", "/", "?", "()", "Larus argentatus/unknownus", "Herring Gull nest", "Larus argentatus or", "a/b/c", "x x x",
        "?????", "( ( (", "Larus x",
    ])
    func `does not guess`(text: String) {
        #expect(names.resolve(text) == .unknown)
    }

    @Test func `a name of several taxa is ambiguous`() {
        #expect(match("Flicker") == plain("Colaptes auratus"), "a taxon before its parts")
        let grebe = names.resolve("grebe")
        #expect(grebe == .ambiguous([id("Aechmophorus occidentalis"), id("Aechmophorus clarkii")].sorted()))
        #expect(match("grebe sp.")?.taxon == id("Aechmophorus"))
    }

    @Test(arguments: [
        "Clarks Grebes", "2 Clark's Grebe", "probably Clark's Grebe", "Grebe, Clark's", "Clark's Grebe nest",
        "Aechmoforus clarki", "A. clarkii", "Aechmophorus clarkii x Podiceps nigricollis",
        "\u{FF23}\u{FF4C}\u{FF41}\u{FF52}\u{FF4B}\u{FF53} Grebes", "clarksgrebe", "Clark's Gre be",
        String(repeating: "a ", count: 90) + "Clarks Grebes",
    ])
    func `a name that fits no taxon may mean a sensitive one`(text: String) {
        #expect(names.identification(of: text)?.sensitivity == .three)
    }

    @Test(arguments: [
        "Larus argentatus (Clark's Grebe)", "Larus argentatus, Aechmophorus clarkii", "Larus sp. (Clarks Grebes)",
        "Larus argentatus with Aechmophorus clarkii nest", "Larus cf. fuscus (A. clarkii)",
    ])
    func `what a name says besides its taxon may be sensitive`(text: String) {
        #expect(match(text)?.sensitivity == .three)
    }

    @Test(arguments: ["Western Gull nest", "Herring Gul", "Clark", "", "//", "A. occidentalis"])
    func `most names that fit no taxon mean nothing sensitive`(text: String) {
        #expect(names.identification(of: text)?.sensitivity == nil)
    }

    @Test func `a group of nothing but sensitive species is sensitive`() {
        #expect(names.sensitivity(of: id("Colaptes")) == .four)
        #expect(names.sensitivity(of: id("Aechmophorus")) == nil)
    }

    @Test func `sensitivity comes from ancestors and members`() {
        #expect(match("Aechmophorus clarkii")?.sensitivity == .three)
        #expect(match("Aechmophorus occidentalis")?.sensitivity == nil)
        #expect(match("Western/Clark's Grebe")?.sensitivity == .three)
        #expect(match("Aechmophorus cf. clarkii")?.identification.sensitivity == .three)
        #expect(match("Colaptes auratus cafer")?.sensitivity == .four, "inherited")
        #expect(names.sensitivity(of: id("Colaptes auratus auratus")) == .four)
    }

    @Test func `names of one taxon are no slash`() {
        #expect(
            match("Colaptes auratus cafer/Colaptes cafer")
                == NameMatch(taxon: id("Colaptes auratus cafer"), sensitivity: .four))
    }

    @Test func `summaries speak a language`() throws {
        let gull = try #require(names.summary(of: id("Larus argentatus")))
        #expect(
            gull.commonName == "Herring Gull" && gull.scientificName == "Larus argentatus" && gull.parent == id("Larus")
        )
        #expect(
            names.summary(of: id("Larus argentatus"), language: try LanguageTag("fr"))?.commonName == "Goéland argenté")
        #expect(names.summary(of: Samples.id(200)) == nil)
    }

    @Test func `no text traps`() {
        var random = RandomSource(seed: 5)
        let pieces = [
            "Larus", " ", "argentatus", "/", "x", "×", "cf.", "sp.", "?", "(", ")", "é", "\u{301}", ",", "1758", "or",
            "🐦", "\u{0}",
        ]
        for _ in 0..<3_000 {
            let text = (0..<Int.random(in: 0...9, using: &random)).map { _ in random.element(of: pieces) }.joined()
            _ = names.resolve(text)
            _ = names.search(text, limit: 3)
            _ = names.suggestions(for: text, limit: 3)
        }
        let long = String(repeating: "Larus argentatus / ", count: 2_000)
        #expect(names.resolve(long) != .ambiguous([]) && names.search(long, limit: 5).isEmpty)
    }
}
