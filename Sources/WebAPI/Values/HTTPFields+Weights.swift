import Bytes
import HTTPTypes

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

    private static func weight(_ text: some StringProtocol) -> Double {
        guard let weight = Double(text), (0...1).contains(weight) else { return 0 }
        return weight
    }
}
