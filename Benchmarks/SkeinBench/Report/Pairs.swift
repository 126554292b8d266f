import Foundation

/// Figures of ours and of the reference, taken one after the other so that a noisy minute hits both.
struct Pairs: Sendable {
    private(set) var ours: [Double] = []
    private(set) var reference: [Double] = []

    var ratios: [Double] { zip(ours, reference).map { $1 == 0 ? 0 : $0 / $1 } }

    /// Takes pairs, ours first in the even ones and last in the odd ones, and prints each.
    static func taken(
        _ count: Int, _ what: String, ours: () async throws -> Double, reference: () async throws -> Double
    ) async throws -> Pairs {
        var pairs = Pairs()
        for number in 0..<count {
            if number.isMultiple(of: 2) {
                pairs.ours.append(try await ours())
                pairs.reference.append(try await reference())
            } else {
                pairs.reference.append(try await reference())
                pairs.ours.append(try await ours())
            }
            show(
                "\(what) \(number + 1): \(pairs.ours[number].short) | \(pairs.reference[number].short)"
                    + "   load \(LoadAverage.now)")
        }
        return pairs
    }
}

extension Pairs {
    /// Takes pairs of figures that one run gives together, and prints each.
    static func together(
        _ count: Int, _ what: String, _ run: () async throws -> (ours: Double, reference: Double)
    ) async throws -> Pairs {
        var pairs = Pairs()
        for number in 1...max(1, count) {
            let (ours, reference) = try await run()
            pairs.ours.append(ours)
            pairs.reference.append(reference)
            show("\(what) \(number): \(ours.short) | \(reference.short)   load \(LoadAverage.now)")
        }
        return pairs
    }
}

extension [Double] {
    /// The middle value, or the mean of the two in the middle; 0 of none.
    var median: Double {
        guard !isEmpty else { return 0 }
        let sorted = sorted()
        let middle = count / 2
        return count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }

    /// The value below which this part of all lies; 0 of none.
    func quantile(_ part: Double) -> Double {
        guard !isEmpty else { return 0 }
        return sorted()[Swift.min(count - 1, Int((Double(count) * part).rounded(.up)) - 1)]
    }

    /// Least and greatest.
    var spread: String { "\((self.min() ?? 0).short)–\((self.max() ?? 0).short)" }
}

extension Double {
    /// Three digits that count, no exponent.
    var short: String {
        switch magnitude {
        case 100...: String(Int(rounded()))
        case 10..<100: String(format: "%.1f", self)
        default: String(format: "%.2f", self)
        }
    }
}

/// The load of the machine: figures taken on a busy one are less reliable.
enum LoadAverage {
    /// The mean number of processes that ran or wanted to, over one, five and fifteen minutes.
    static var now: String {
        var loads = [0.0, 0.0, 0.0]
        guard getloadavg(&loads, 3) == 3 else { return "unknown" }
        return loads.map { String(format: "%.2f", $0) }.joined(separator: " ")
    }
}
