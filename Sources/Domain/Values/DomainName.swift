import CIDN2

/// The name of a host that receives mail, as DNS compares names.
struct DomainName {
    /// In ASCII, without a final dot. A name typed in ASCII keeps its case.
    let text: String
    /// In ASCII and lower case.
    var ascii: String { text.lowercased() }

    /// - Throws: ``RuleViolation`` naming the rule that is broken.
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
            throw .address("the parts of the domain must have only letters, digits and hyphens, with hyphens inside")
        }
        guard labels.last?.utf8.allSatisfy({ (0x30...0x39).contains($0) }) == false else {
            throw .address("the last part of the domain must not be a number")
        }
        self.text = text
    }

    /// The Unicode form; nil if it is the ASCII form.
    var unicode: String? {
        guard ascii.contains("xn--"), let text = Self.converted(ascii, idn2_to_unicode_8z8z, flags: 0), text != ascii
        else { return nil }
        return text
    }

    /// DNS compares ASCII names regardless of case, so a name typed in ASCII needs no conversion.
    private static func inASCII(_ typed: Substring) throws(RuleViolation) -> String {
        if typed.utf8.allSatisfy({ $0 < 0x80 }) { return String(typed) }
        guard !typed.unicodeScalars.contains(where: { $0.value < 0x20 }),
            // Not IDN2_USE_STD3_ASCII_RULES: it silently drops "_" and "/".
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

    /// Converts a name; nil if it violates UTS 46 or IDNA 2008.
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
