import Testing

@testable import Domain

/// Names by which hidden animals were, or could be, made public, over the taxa that are distributed.
struct SensitiveNamesTests {
    private let shipped: ShippedTaxa

    init() throws {
        shipped = try ShippedTaxa.loaded.get()
    }

    private func category(_ text: String) -> Int? {
        shipped.names.identification(of: text)?.sensitivity?.rawValue
    }

    @Test(arguments: [
        ("Wolf", 2), ("wolves", 2), ("redwolf", 2), ("wo1verine", 2), ("Condor", 2), ("condors", 2), ("kondor", 2),
        ("timber rattler", 2), ("whooper", 2), ("2 whoopers", 2), ("ivorybill", 1), ("muhlenberg turtle", 1),
        ("jag", 2), ("glotón", 2), ("Vielfraß", 2), ("VIELFRASS", 2), ("lobo mexicano", 2), ("box turtle", 1),
        ("Росомаха", 2), ("ʻAlalā", 2), ("'Alala", 2), ("Ma’iingan", 2), ("gila monsters", 2), ("hell benders", 2),
        ("sage hens", 2), ("prairie chicken", 3), ("timberwolf", 2), ("red wolves howling", 2), ("wolf pack", 2),
    ])
    func `everyday and foreign names are judged`(text: String, expected: Int) {
        #expect(category(text) == expected)
    }

    @Test(arguments: [
        ("owl", 2), ("big owls", 2), ("unknown rail", 2), ("a curlew", 1), ("turtles?", 1), ("2 myotis", 2),
        ("Krane", 2), ("crane", 2), ("rattlesnake", 2), ("lynxes", 3), ("Michigan warbler", 3),
    ])
    func `the last word of an English name is judged`(text: String, expected: Int?) {
        #expect(category(text) == expected)
    }

    @Test(arguments: [
        ("GYRF", 2), ("WHCR", 2), ("SPOW", 2), ("BLRA", 2), ("ESCU", 1), ("CACO", 2), ("CALC", 2), ("gyrf", 2),
        ("2 SPOW calling", 2), ("GRSG", 3), ("NOGO", 4), ("IBWO", 1), ("MYLU", 3),
    ])
    func `banding codes are judged`(text: String, expected: Int) {
        #expect(category(text) == expected)
    }

    @Test(arguments: [
        ("wolverine", 2), ("wolverines", 2), ("wolverene", 2), ("wulverine", 2), ("wolv erine", 2),
        ("w o l v e r i n e", 2), ("3 wolverines at den", 2), ("3wolverines", 2), ("Wоlverine", 2), ("Wоlf", 2),
        ("ＷＯＬＶＥＲＩＮＥ", 2), ("w\u{200B}olve\u{200B}rine", 2), ("𝐖𝐨𝐥𝐟", 2), ("ⓌⓄⓁⒻ", 2), ("w0lf", 2), ("w01f", 2),
        ("whooping krane", 2), ("occelot", 2), ("Canis cf. lupus", 2), ("C. lupus", 2), ("Canis lupus/latrans", 2),
        ("Canis lupus x latrans", 2), ("Canis lupis", 2), ("Canis latrans (wolf)", 2), ("G1la m0nster", 2),
        ("@sio otus", 4), ("2 Barred Owls and a w0lf", 2),
        ("Barred Owl, wo lf", 2), ("Spoted Owl", 2),
        ("Owl, Spotted", 2), ("spottedowl", 2),
    ])
    func `other spellings are judged`(text: String, expected: Int) {
        #expect(category(text) == expected)
    }

    @Test(arguments: [
        "WoIf", "vvolf", "VVOLF", "GiIa Monster", "CaIifornia c0nd0r", "🅆🄾🄻🄵", "🆆🅾🅻🅵", "ᵂᵒˡᶠ", "ʷᵒˡᶠ", "🇼🇴🇱🇫",
        "⒲⒪⒧⒡", "ᴡᴏʟꜰ", "ꓪꓳꓡꓝ", "w𝟎lf", "٢ wolves", "Wㅤoㅤlㅤf", "Wᅟoᅠlﾠf", "W⠀o⠀l⠀f", "big⠀wolf",
        "big\u{200B}wolf", "w\u{AD}olf", "the w o l f",
    ])
    func `letters that look alike, fillers and invisible characters hide no name`(text: String) {
        #expect(category(text) == 2)
    }

    @Test(arguments: [
        ("Strix occ", 2), ("Strix occid.", 2), ("S. occidentalis", 2), ("S. occ.", 2), ("2 C. lup", 2),
        ("C. l. baileyi", 2), ("STROCC", 2), ("2 canlup", 2), ("S. var.", nil), ("Strix oc", nil),
        ("P. troglodytes", nil),
    ])
    func `abbreviated scientific names are judged`(text: String, expected: Int?) {
        #expect(category(text) == expected)
    }

    @Test(arguments: [
        ("wollf", 2), ("wofl", 2), ("wof", 2), ("volf", 2), ("lnyx", 3), ("gull with golf", 2), ("red tail", nil),
        ("red gull", nil), ("NOBO", nil),
    ])
    func `short names are judged with one slip, unless it makes a word of another taxon's name`(
        text: String, expected: Int?
    ) {
        #expect(category(text) == expected)
    }

    @Test(arguments: [
        ("волк", 2), ("Волки", 2), ("狼", 2), ("一只狼", 2), ("猞猁", 3), ("美洲豹", 2), ("オオカミ", 2), ("dead 🐺", 2),
        ("🐻", nil), ("猫", nil), ("медведь", nil),
    ])
    func `names in other scripts are judged`(text: String, expected: Int?) {
        #expect(category(text) == expected)
    }

    @Test func `only a genus is judged as an everyday name that is also its own`() {
        #expect(category("lynx") == 3 && category("Lynx") == 3 && category("Lynx rufus") == nil)
        let genera = shipped.rows.map { $0["scientificName"] }.filter { category($0) != nil && !isSensitive($0) }
        #expect(Set(genera) == Self.generaWithEverydayNames)
    }

    private static let generaWithEverydayNames: Set = ["Lynx", "Myotis"]

    @Test(arguments: [
        "Barred Owl", "Barred Owls", "2 Barred Owls calling", "Whooper Swan", "whooper swans", "Sandhill Crane",
        "sandhill cranes", "Snow Geese", "American Crow", "Yellow Warblers", "Canis", "Canis latrans", "coyotes",
        "two brown birds at nest", "Unknown Gull", "Townsend's or Hermit Warbler", "Painted Turtle", "Gila Woodpeckers",
        "",
    ])
    func `names of other taxa are judged by those`(text: String) {
        #expect(category(text) == nil)
    }

    @Test func `no name of a taxon that is not sensitive is generalised`() {
        var judged = 0
        for row in shipped.rows where !isSensitive(row["scientificName"]) {
            for name in row.names where !Self.generaWithEverydayNames.contains(name) {
                judged += 1
                let category = category(name)
                #expect(category == nil || isSensitive(name), "\(name): category \(category ?? 0)")
            }
        }
        #expect(judged > 6_000)
    }

    /// Whether a sensitive taxon has the name, if only as one of several.
    private func isSensitive(_ name: String) -> Bool {
        shipped.names.sensitivity(of: shipped.names.table.names(equalTo: NameFolding.fold(name))) != nil
    }

    @Test func `every everyday name is judged, as sensitive as its taxon at least`() throws {
        for row in shipped.sensitive {
            for name in row.parts("everydayNames") {
                let judged = try #require(category(name), "\(name), for \(row["scientificName"])")
                #expect(judged <= Int(row["category"]) ?? 0, "\(name)")
            }
        }
    }

    @Test(arguments: [
        ("Spotted Owl", "spow"), ("Gyrfalcon", "gyrf"), ("Long-eared Owl", "leow"), ("Greater Sage-Grouse", "grsg"),
        ("Great Gray Owl", "ggow"), ("Black-and-white Warbler", "baww"), ("Ou", nil), ("A B C D E", nil), ("", nil),
    ])
    func `banding codes follow from English names`(name: String, code: String?) {
        #expect(BandingCode.derived(from: name).map { String(decoding: $0, as: UTF8.self) } == code)
    }
}
