/// The licences under which a sighting or a dataset may be given.
package enum Licence: String, Vocabulary {
    case cc0 = "CC0-1.0"
    case by = "CC-BY-4.0"
    case byNonCommercial = "CC-BY-NC-4.0"

    /// Reads a licence in the ways files write it: a code, "CC BY 4.0", "CC_BY_4_0", or an address with or
    /// without `/legalcode`. Nothing but these three licences in these versions is understood.
    package init?(recognising text: String) {
        var words = text.lowercased()[...]
        for scheme in ["https://", "http://"] where words.hasPrefix(scheme) { words.removeFirst(scheme.count) }
        if words.hasPrefix("www.") { words.removeFirst(4) }
        let parts = words.split { !($0.isLetter || $0.isNumber) }.filter { $0 != "legalcode" && $0 != "deed" }
        switch parts.joined(separator: " ") {
        case "cc0", "cc0 1 0", "cc 0", "cc 0 1 0", "creativecommons org publicdomain zero 1 0": self = .cc0
        case "cc by 4 0", "creativecommons org licenses by 4 0": self = .by
        case "cc by nc 4 0", "creativecommons org licenses by nc 4 0": self = .byNonCommercial
        default: return nil
        }
    }
}
