extension StringProtocol {
    /// The form in which words of a controlled vocabulary are compared: letters and digits alone, in lower case.
    /// `LIVING_SPECIMEN`, `Living Specimen` and `livingSpecimen` have the same form. An identifier of a term
    /// (`dwc:LivingSpecimen`, `http://…/LivingSpecimen`) has the form of the term's name.
    package var vocabularyForm: String {
        let name = termName
        let bytes = name.utf8
        guard bytes.allSatisfy({ $0 < 0x80 }) else {
            return name.lowercased().filter { $0.isLetter || $0.isNumber }
        }
        var form: [UInt8] = []
        form.reserveCapacity(bytes.count)
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): form.append(byte)
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): form.append(byte | 0x20)
            default: break
            }
        }
        return String(decoding: form, as: UTF8.self)
    }

    /// The text behind its namespace. A namespace ends with a colon; that of a URI ends with the last slash or `#`.
    private var termName: Substring {
        let text = Substring(self)
        guard let colon = text.firstIndex(of: ":") else { return text }
        let rest = text[text.index(after: colon)...]
        guard rest.hasPrefix("//") else {
            let isPrefix = text[..<colon].allSatisfy(\.isLetter) && rest.first?.isLetter == true
            return isPrefix ? rest : text
        }
        return rest.split { $0 == "/" || $0 == "#" }.last ?? text
    }
}
