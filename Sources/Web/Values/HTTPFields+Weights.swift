import Bytes
package import HTTPTypes

extension HTTPFields {
    /// The values that a client accepts, in lower case, with their weights from 0 to 1. One that is no number is 0.
    /// - Source: RFC 9110 section 12.4.2.
    func weights(of name: HTTPField.Name) -> [String: Double] {
        var weights: [String: Double] = [:]
        for item in self[values: name].flatMap({ $0.split(separator: ",") }) {
            let parts = item.lowercased().split(separator: ";").map { $0.trimmingSpaces() }
            guard let value = parts.first else { continue }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Self.weight($0.dropFirst(2)) } ?? 1
            weights[String(value)] = Swift.max(weight, weights[String(value)] ?? 0)
        }
        return weights
    }

    /// Whether a client names a media type, and prefers another one less or as much.
    /// - Source: RFC 9110 section 12.5.1: the more specific range counts.
    package func prefers(_ type: String, to other: String) -> Bool {
        let weights = weights(of: .accept)
        guard let weight = weights[type], weight > 0 else { return false }
        let range = other.prefix { $0 != "/" } + "/*"
        return weight >= weights[other] ?? weights[String(range)] ?? weights["*/*"] ?? 0
    }

    private static func weight(_ text: some StringProtocol) -> Double {
        guard let weight = Double(text), (0...1).contains(weight) else { return 0 }
        return weight
    }
}
