import Bytes
package import HTTPTypes

/// A client's preferences for the handling of a request.
/// - Source: RFC 7240.
package struct Preferences: Hashable, Sendable {
    /// `handling=strict`: reject input that would otherwise be accepted in part, such as a name that matches no taxon.
    package let isStrict: Bool

    /// Reads `Prefer`. Unknown preferences are ignored, as the specification requires.
    package init(_ headers: HTTPFields) {
        var handling: Substring?
        for value in headers[values: .prefer] {
            for preference in value.split(separator: ",") {
                let parts = preference.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
                guard parts.count == 2, parts[0].trimmingSpaces().lowercased() == "handling" else { continue }
                // If a preference is repeated, the first one applies.
                if handling == nil { handling = parts[1].trimmingSpaces() }
            }
        }
        isStrict = handling == "strict" || handling == "\"strict\""
    }

    /// The value of `Preference-Applied`; nil if none was applied.
    package var applied: String? { isStrict ? "handling=strict" : nil }
}
