internal import Bytes
package import HTTPTypes

/// How a client wants a request to be handled.
/// - Source: RFC 7240.
package struct Preferences: Hashable, Sendable {
    /// `handling=strict`: refuse what would otherwise be taken with a gap, such as a name that fits no taxon.
    package let isStrict: Bool

    /// Reads `Prefer`. Preferences that are not known are ignored, as the specification wants it.
    package init(_ headers: HTTPFields) {
        var handling: Substring?
        for value in headers[values: .prefer] {
            for preference in value.split(separator: ",") {
                let parts = preference.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
                guard parts.count == 2, parts[0].trimmingSpaces().lowercased() == "handling" else { continue }
                // The first of several counts.
                if handling == nil { handling = parts[1].trimmingSpaces() }
            }
        }
        isStrict = handling == "strict" || handling == "\"strict\""
    }

    /// The header that tells what was followed; nil for nothing.
    package var applied: String? { isStrict ? "handling=strict" : nil }
}
