import Testing

@testable import Domain

struct EmailAddressTests {
    @Test(arguments: [
        "a@b.org", "Ann.Heron+birds@mail.example.org", "ü@münchen.example", "o'neil@x-y.example", "a@b.org.",
        "a@भारत.example", "a@ab--cd.example", "a@xn--i-7iq.ws",
    ])
    func `is an email address`(text: String) throws {
        #expect(try EmailAddress(text) == EmailAddress(text.uppercased()))
    }

    @Test(arguments: [
        "me@münchen.example", "me@xn--mnchen-3ya.example", "ME@MÜNCHEN.EXAMPLE", "me@XN--MNCHEN-3YA.example",
        "me@mu\u{308}nchen.example", "me@ｍüｎｃｈｅｎ．ｅｘａｍｐｌｅ", "me@münchen。example", "me@münchen｡example.",
        "me@münchen.example。", "me@ｘｎ－－ｍｎｃｈｅｎ－３ｙａ.example", "me@mün\u{AD}chen.example",
        " me@münchen.example", "me@münchen.example\r\n",
    ])
    func `a domain has one form, in ASCII`(text: String) throws {
        let address = try EmailAddress(text)
        #expect(address.text.lowercased() == "me@xn--mnchen-3ya.example")
        #expect(address == (try EmailAddress("me@münchen.example")))
        #expect(address.unicode == "me@münchen.example")
    }

    @Test func `full-width letters are ordinary ones, and sharp s is a letter of its own`() throws {
        #expect(try EmailAddress("a@ｅｘａｍｐｌｅ.org").text == "a@example.org")
        #expect(try EmailAddress("a@straße.example") != EmailAddress("a@strasse.example"))
        #expect(try EmailAddress("a@example.org").unicode == nil)
        #expect(try EmailAddress("Ann@Example.ORG.").text == "Ann@Example.ORG")
    }

    @Test(arguments: [
        " ", "\t", "\n", "\r\n", "\u{A0}", "\u{85}", "\u{2003}", "\u{2028}", "\u{202F}", "\u{3000}", "\u{200B}",
        "\u{FEFF}",
        "\u{2060}", "\u{200E}", "\u{202A}", "\u{202C}", "\u{2068}", "\u{2800}", "\u{B}", " \u{A0}\u{FEFF} \n",
    ])
    func `blanks around an address are no part of it, those inside are an error`(blank: String) throws {
        for text in [blank + "Ann@b.org", "Ann@b.org" + blank, blank + "Ann@b.org" + blank] {
            let address = try EmailAddress(text)
            #expect(address.text == "Ann@b.org" && address.typed == "Ann@b.org" && address.comparable == "ann@b.org")
        }
        for text in ["An\(blank)n@b.org", "Ann\(blank)@b.org", "Ann@\(blank)b.org", "Ann@b\(blank).org", blank] {
            // What UTS 46 drops from a domain in Unicode, DNS does not know in one in ASCII.
            let isDropped = ["\u{200B}", "\u{FEFF}", "\u{2060}"].contains(blank) && text.hasPrefix("Ann@")
            if isDropped {
                #expect(try EmailAddress(text).text == "Ann@b.org")
            } else {
                #expect(throws: RuleViolation.self, "\(text.unicodeScalars)") { try EmailAddress(text) }
            }
        }
    }

    @Test(arguments: [
        ("", "one \"@\""), ("a", "one \"@\""), ("a@@b.org", "one \"@\""), ("a@b＠c.org", "letters, digits"),
        ("a@1.2.3.4", "number"),
        ("a@b", "two parts"), ("a@b..org", "two parts"), ("a@.org", "two parts"), ("a@b.org..", "two parts"),
        ("@b.org", "1 to 64 bytes"), (".a@b.org", "dots"), ("a b@c.org", "spaces"), ("<a@b.org>", "brackets"),
        ("a\u{0}@b.org", "invisible"), ("Zoe\u{308}@b.org", "combining"), ("a\u{200B}b@c.org", "invisible"),
        ("a@-b.org", "hyphens inside"), ("a@b_c.org", "letters, digits"), ("a@ü_c.org", "letters, digits"),
        ("a@exa／mple.org", "letters, digits"), ("a@℀.org", "letters, digits"), ("a@i❤.ws", "UTS 46"),
        ("a@…ü.org", "UTS 46"), ("a@ü\u{0}.example", "UTS 46"), ("a@ü\u{202E}.example", "UTS 46"),
        ("\u{202E}a@b.org", "invisible"), ("a@ü-.example", "UTS 46"), ("a@xｎ--a.example", "UTS 46"),
        ("a@\(String(repeating: "b", count: 64)).org", "63 characters"),
    ])
    func `an error names the rule`(text: String, rule: String) throws {
        let violation = try #require(throws: RuleViolation.self) { try EmailAddress(text) }
        #expect(violation.message.contains(rule), "\(violation.message)")
        #expect(violation.message.hasPrefix("must be an e-mail address such as name@example.org: "))
    }

    @Test func `an email address has at most 254 characters`() throws {
        let long = "a@" + Array(repeating: String(repeating: "b", count: 60), count: 5).joined(separator: ".") + ".org"
        #expect(throws: RuleViolation(.length, "must have at most 254 characters")) { try EmailAddress(long) }
        #expect(throws: Never.self) { try EmailAddress(String(repeating: " ", count: 300) + "a@b.org") }
        // Shorter in Unicode than in ASCII.
        let labels = Array(repeating: String(repeating: "ü", count: 25), count: 4) + ["example"]
        let inASCII = try EmailAddress("a@" + labels.joined(separator: ".")).text
        #expect(inASCII.utf8.count > 100 && inASCII.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test func `the spellings under which an address may be reserved`() throws {
        #expect(try EmailAddress("Ann@Example.org").spellings == ["ann@example.org"])
        #expect(
            try EmailAddress("Me@MÜNCHEN.example").spellings
                == ["me@münchen.example", "me@xn--mnchen-3ya.example"])
        #expect(
            try EmailAddress("me@xn--mnchen-3ya.example").spellings
                == ["me@xn--mnchen-3ya.example", "me@münchen.example"])
        let decomposed = try EmailAddress("me@mu\u{308}nchen.example").spellings.map { Array($0.utf8) }
        #expect(decomposed.contains(Array("me@münchen.example".utf8)) && decomposed.count == 3)
        #expect(try EmailAddress("a@ｅｘａｍｐｌｅ.org").spellings == ["a@ｅｘａｍｐｌｅ.org", "a@example.org"])
    }

    @Test func `a stored address is shown with its domain in ASCII, or as it is`() {
        #expect(EmailAddress.shown("Me@Müller.example") == "Me@xn--mller-kva.example")
        #expect(EmailAddress.shown("no address") == "no address")
    }

    @Test func `a password is not like the address in Unicode`() throws {
        let address = try EmailAddress("me@xn--mnchen-3ya.example")
        #expect(throws: RuleViolation.self) { try Password("me@München.example", common: [], email: address) }
    }
}
