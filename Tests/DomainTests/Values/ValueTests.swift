import Domain
import Foundation
import TestRandom
import Testing

struct ValueTests {
    @Test func `counts and confidence have bounds`() throws {
        for count in [0, -1, 1_000_001] { #expect(throws: RuleViolation.self) { try IndividualCount(count) } }
        #expect(try IndividualCount(1_000_000).value == 1_000_000)
        for confidence in [0, 11] { #expect(throws: RuleViolation.self) { try Confidence(confidence) } }
    }

    @Test func `a place is on earth and not nowhere`() throws {
        for (latitude, longitude) in [(90.1, 0.0), (-91, 0), (0, 180.5), (.nan, 1), (1, .infinity), (0, 0), (-0.0, 0)] {
            #expect(throws: RuleViolation.self) { try Coordinate(latitude: latitude, longitude: longitude) }
        }
        #expect(try Coordinate(latitude: -90, longitude: 180).longitude == 180)
        #expect(try Coordinate(latitude: -0.0, longitude: 1).latitude.sign == .plus)
    }

    @Test func `an uncertainty is more than nothing`() throws {
        for metres in [0, -1, .nan, .infinity, 20_040_001] {
            #expect(throws: RuleViolation.self) { try UncertaintyMetres(metres) }
        }
        #expect(try UncertaintyMetres(20_040_000).value == UncertaintyMetres.most)
    }

    @Test func `a password is long enough and not common`() throws {
        let common: CommonPasswords = ["1234567890"]
        #expect(throws: RuleViolation.self) { try Password("123456789", common: []) }
        #expect(throws: RuleViolation.self) { try Password(String(repeating: "é", count: 257), common: []) }
        #expect(throws: RuleViolation.self) { try Password("1234567890", common: common) }
        #expect(throws: RuleViolation.self) { try Password("PassWord123", common: ["password123"]) }
        let password = try Password(String(repeating: "🐦", count: 10), common: common)
        #expect("\(password)" == "redacted" && String(reflecting: password) == "redacted")
        #expect(Mirror(reflecting: password).children.isEmpty)
    }

    @Test(arguments: [
        String(repeating: " ", count: 10), String(repeating: "\u{200B}", count: 12), "a b c d e     ",
        "P@ssw0rd123", "password2026!", "!!Pa$$word", "wren.birder", "Wren.Birder2026", "wren.birder@example.org1",
    ])
    func `a password is not blank, not a common one in disguise, and not the own e-mail address`(secret: String) throws
    {
        let email = try EmailAddress("wren.birder@Example.org")
        #expect(throws: RuleViolation.self) { try Password(secret, common: ["password"], email: email) }
        #expect(throws: Never.self) { try Password("passwords of wrens", common: ["password"], email: email) }
    }

    @Test(arguments: [
        "admin", "Administrator", "Skein Moderator", "moderator", "a d m i n", "аdmin", "ＡＤＭＩＮ", "4dm1n", "ADMÍN",
        "Jenny (admin)", "Skein", "skein-team", "Ѕkein Support", "Staff", "m0derator", "ad\u{200B}min", "adm\u{131}n",
        "Official Skein", "The Skein", "Skein HQ", "Verified Ske\u{200B}in", "the real 5kein",
        "Ⓜoderator", "🅰🅳🅼🅸🅽", "ᵃᵈᵐⁱⁿ", "adㅤmin", "a⠀d⠀m⠀i⠀n", "rnoderator", "aclmin", "officiaI", "adm|n", "Sтaff",
    ])
    func `a display name does not pose as staff`(name: String) {
        #expect(throws: RuleViolation.self) { try DisplayName(name) }
    }

    @Test(arguments: [
        "Badminton fan", "Jenny Wren", "A skein of geese", "The last skein", "Skein Watcher", "Modest birder",
        "Дмитрий", "渡り鳥", "birder 4f2a", "Supportive Owl", "Rooted in Salal",
    ])
    func `an ordinary display name is accepted`(name: String) {
        #expect(throws: Never.self) { try DisplayName(name) }
    }

    @Test(arguments: ["\u{1B}", "\u{7F}", "\u{9F}", "\u{202D}", "\u{202E}", "\u{206A}", "\u{FFF9}", "\u{E0041}"])
    func `no text holds control characters or changes its direction`(character: String) {
        let text = "a wren\(character) in winter"
        #expect(throws: RuleViolation.self) { try Note(text) }
        #expect(throws: RuleViolation.self) { try VerbatimName(text) }
        #expect(throws: RuleViolation.self) { try PersonName(text) }
        #expect(throws: RuleViolation.self) { try DisplayName(text) }
    }

    @Test func `texts have bounds and no NUL`() throws {
        #expect(throws: Never.self) { try Note(String(repeating: "🐦", count: 4000)) }
        #expect(throws: RuleViolation.self) { try Note(String(repeating: "a", count: 4001)) }
        #expect(throws: RuleViolation.self) { try Note("a\u{0}b") }
        #expect(throws: Never.self) { try Note("line\nline\ttab") }
        #expect(throws: RuleViolation.self) { try VerbatimName("") }
        #expect(throws: RuleViolation.self) { try VerbatimName("  ") }
        #expect(throws: RuleViolation.self) { try VerbatimName("a\nb") }
        #expect(throws: RuleViolation.self) { try DisplayName("a") }
        #expect(throws: RuleViolation.self) { try DisplayName("\u{200B}\u{200B}") }
        for blank in ["\u{3164}", "\u{115F}", "\u{1160}", "\u{FFA0}", "\u{2800}", "\u{FE0F}", "\u{34F}"] {
            #expect(throws: RuleViolation(.format, "must not be blank")) { try DisplayName("\(blank) \(blank)") }
            #expect(throws: Never.self) { try DisplayName("\(blank)Zoe") }
        }
        #expect(throws: RuleViolation.self) { try DisplayName("gull\u{202E}lluG") }
        #expect(throws: Never.self) { try DisplayName("Zoe\u{308} 👩‍🔬") }
        #expect(throws: RuleViolation.self) { try PersonName(String(repeating: "a", count: 201)) }
    }

    @Test func `codes have their forms`() throws {
        #expect(try StateCode("US-WA").country.text == "US")
        for text in ["us-wa", "US", "US-", "US-WASH", "US-W A"] {
            #expect(throws: RuleViolation.self) { try StateCode(text) }
        }
        for text in ["", "-a", "a-", "a--b", "A", "pacific northwest"] {
            #expect(throws: RuleViolation.self) { try RegionCode(text) }
        }
        #expect(throws: RuleViolation.self) { try ZoneName("Not a zone") }
        #expect(throws: RuleViolation.self) { try LanguageTag("english") }
        #expect(throws: RuleViolation.self) { try Fingerprint("not hex, though long enough: 32..") }
        #expect(try Fingerprint(bytes: [UInt8](repeating: 0xAB, count: 32)) == Samples.fingerprint)
    }

    @Test func `ids are lower case strings`() throws {
        let id = try #require(TaxonID("6BA7B810-9DAD-11D1-80B4-00C04FD430C8"))
        #expect(id.description == "6ba7b810-9dad-11d1-80b4-00c04fd430c8")
        #expect(id.uuid == UUID(uuidString: "6ba7b810-9dad-11d1-80b4-00c04fd430c8"))
        let encoded = try JSONEncoder().encode([id])
        #expect(String(decoding: encoded, as: UTF8.self) == #"["6ba7b810-9dad-11d1-80b4-00c04fd430c8"]"#)
        #expect(try JSONDecoder().decode([TaxonID].self, from: encoded) == [id])
        for text in [
            "", "6ba7b8109dad11d180b400c04fd430c8", "6ba7b810-9dad-11d1-80b4-00c04fd430cg",
            "6ba7b810-9dad-11d1-80b400c04fd430c8-",
        ] {
            #expect(TaxonID(text) == nil)
        }
        var random = RandomSource(seed: 4)
        for _ in 0..<500 {
            let (one, other) = (TaxonID(UUID.random(using: &random)), TaxonID(UUID.random(using: &random)))
            #expect((one < other) == (one.description < other.description))
            #expect(TaxonID(one.description) == one)
        }
    }

    @Test func `licences are recognised`() {
        #expect(Licence(recognising: "http://creativecommons.org/licenses/by/4.0/legalcode") == .by)
        #expect(Licence(recognising: "https://creativecommons.org/publicdomain/zero/1.0/") == .cc0)
        #expect(Licence(recognising: "https://creativecommons.org/publicdomain/zero/1.0/legalcode") == .cc0)
        #expect(Licence(recognising: "https://creativecommons.org/licenses/by-nc/4.0/legalcode") == .byNonCommercial)
        #expect(Licence(recognising: "CC_BY_NC_4_0") == .byNonCommercial)
        #expect(Licence(recognising: "ccby-4.0") == .by && Licence(recognising: "CC0 1_0") == .cc0)
        #expect(TaxonRank(written: "Sub-Species") == .subspecies && TaxonKind(written: " BIRD ") == .bird)
        #expect(TaxonRank(written: "variety") == nil && TaxonKind(written: "") == nil)
        #expect(Licence(recognising: "CC BY-SA 4.0") == nil)
        #expect(Licence(recognising: "CC BY 3.0") == nil)
        for licence in Licence.allCases {
            #expect(Licence(recognising: licence.rawValue) == licence)
        }
    }

    @Test func `the more sensitive category is the smaller`() {
        #expect(SensitivityCategory.mostSensitive(.two, .four) == .two)
        #expect(SensitivityCategory.mostSensitive(nil, .four) == .four)
        #expect(
            SensitivityCategory.isRaised(from: nil, to: .four) && SensitivityCategory.isRaised(from: .three, to: .two))
        #expect(
            !SensitivityCategory.isRaised(from: .two, to: .three) && !SensitivityCategory.isRaised(from: .two, to: nil))
    }

    @Test func `visits tell every fault`() throws {
        #expect(
            throws: Faults([
                Fault("/minutes", .wholeNumber(1...1440)),
                Fault("/distanceKm", RuleViolation(.range, "must be kilometres from 0 to 1,000")),
                Fault("/observers", .wholeNumber(1...10_000)),
            ])
        ) {
            try Visit(id: Samples.id(1), startedAt: Samples.now, minutes: 0, distanceKm: .nan, observers: -1)
        }
    }
}
