/// A line of the table: the figure, the reference and the target.
struct Reading: Sendable {
    let name: String
    let ours: String
    let reference: String
    /// With its spread over the pairs.
    let ratio: String
    let aim: String
    let isMet: Bool?

    var line: String {
        let verdict = isMet.map { $0 ? ", met" : ", missed" } ?? ""
        return "\(name): \(ours) against \(reference), ratio \(ratio), aim \(aim)\(verdict)"
    }
}

/// The target of a figure.
enum Aim: Sendable {
    case atLeast(Double)
    case atMost(Double)

    var text: String {
        switch self {
        case .atLeast(let bound): "≥ \(bound.short)"
        case .atMost(let bound): "≤ \(bound.short)"
        }
    }

    func isMet(by value: Double) -> Bool {
        switch self {
        case .atLeast(let bound): value >= bound
        case .atMost(let bound): value <= bound
        }
    }
}

extension Reading {
    /// Makes a line of the table from pairs that were measured alternately. Its ratio is the median of theirs.
    init(_ name: String, _ pairs: Pairs, unit: String, aim: Aim) {
        self.init(
            name: name, ours: "\(pairs.ours.median.short) \(unit)",
            reference: "\(pairs.reference.median.short) \(unit)",
            ratio: "\(pairs.ratios.median.short) (\(pairs.ratios.spread))", aim: aim.text,
            isMet: aim.isMet(by: pairs.ratios.median))
    }

    /// Makes a line of the table from a figure without a reference.
    init(_ name: String, _ values: [Double], unit: String, aim: Aim) {
        self.init(
            name: name, ours: "\(values.median.short) \(unit)", reference: "-",
            ratio: values.count > 1 ? "(\(values.spread) \(unit))" : "-", aim: "\(aim.text) \(unit)",
            isMet: aim.isMet(by: values.median))
    }
}
