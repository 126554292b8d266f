import CIDN2

/// The name of a host that receives mail, as DNS compares names.
struct DomainName {
    /// In ASCII, without the dot of the root; the case is as typed in a name that was typed in ASCII.
    let text: String
    /// In ASCII and lower case.
    var ascii: String { text.lowercased() }

    /// - Throws: ``RuleViolation`` naming the part of the form that is wrong.
    init(_ typed: Substring) throws(RuleViolation) {
        var text = try Self.inASCII(typed)
        if text.hasSuffix(".") { text.removeLast() }
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count >= 2, labels.allSatisfy({ !$0.isEmpty }) else {
            throw .address(
                "after the \"@\" there must be a domain of at least two parts, with single dots between them")
        }
        guard labels.allSatisfy({ $0.utf8.count <= 63 }) else {
            throw .address("a part of the domain must have at most 63 characters in ASCII")
        }
        guard labels.allSatisfy(Self.isLabel) else {
            throw .address("the parts of the domain must be letters, digits and hyphens, the hyphens inside")
        }
        self.text = text
    }

    /// In the letters that people read; nil: in ASCII, too.
    var unicode: String? {
        guard ascii.contains("xn--"), let text = Self.converted(ascii, idn2_to_unicode_8z8z, flags: 0), text != ascii
        else { return nil }
        return text
    }

    /// DNS compares names in ASCII without regard to case, so that such a name has no other form.
    private static func inASCII(_ typed: Substring) throws(RuleViolation) -> String {
        if typed.utf8.allSatisfy({ $0 < 0x80 }) { return String(typed) }
        guard !typed.unicodeScalars.contains(where: { $0.value < 0x20 }),
            // Not IDN2_USE_STD3_ASCII_RULES: it drops "_" and "/" without a word.
            let text = converted(String(typed), idn2_to_ascii_8z, flags: CInt(IDN2_NONTRANSITIONAL.rawValue))
        else { throw .address("the domain must be an internationalised name that UTS 46 allows") }
        return text
    }

    private static func isLabel(_ label: Substring) -> Bool {
        label.first != "-" && label.last != "-"
            && label.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
            }
    }

    private typealias Conversion = (
        UnsafePointer<CChar>?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, CInt
    ) -> CInt

    /// nil: the name violates the rules of UTS 46, or of IDNA 2008.
    private static func converted(_ name: String, _ convert: Conversion, flags: CInt) -> String? {
        var output: UnsafeMutablePointer<CChar>?
        defer { idn2_free(output) }
        guard convert(name, &output, flags) == CInt(IDN2_OK.rawValue), let output else { return nil }
        return String(cString: output)
    }
}

extension RuleViolation {
    static func address(_ rule: String) -> RuleViolation {
        RuleViolation(.format, "must be an e-mail address such as name@example.org: \(rule)")
    }
}
