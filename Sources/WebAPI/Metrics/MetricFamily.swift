/// Kinds of metrics.
package enum MetricKind: String, Sendable {
    case counter, gauge, histogram
}

/// What tells one series from others of its name, in a fixed order.
package typealias MetricLabels = [(name: String, value: String)]

/// The series of one name.
struct MetricFamily: Sendable {
    let kind: MetricKind
    let help: String
    /// By the labels' text.
    var series: [String: any MetricSeries] = [:]

    func exposition(name: String) -> String {
        var text = "# HELP \(name) \(Self.escapedHelp(help))\n# TYPE \(name) \(kind.rawValue)\n"
        for (labels, series) in series.sorted(by: { $0.key < $1.key }) {
            series.expose(name: name, labels: labels, to: &text)
        }
        return text
    }

    private static func escapedHelp(_ text: String) -> String {
        text.reduce(into: "") { escaped, character in
            switch character {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            default: escaped.append(character)
            }
        }
    }
}

/// One series of a family.
protocol MetricSeries: AnyObject, Sendable {
    /// Appends the series' lines.
    /// - Parameter labels: `a="b",c="d"`, without braces; may be empty.
    func expose(name: String, labels: String, to text: inout String)
}

/// The value of a sample.
final class FixedSeries: MetricSeries {
    private let value: Double

    init(value: Double) {
        self.value = value
    }

    func expose(name: String, labels: String, to text: inout String) {
        text += MetricText.line(name, labels, value)
    }
}

/// The text format's details.
enum MetricText {
    static func line(_ name: String, _ labels: String, _ value: Double) -> String {
        labels.isEmpty ? "\(name) \(number(value))\n" : "\(name){\(labels)} \(number(value))\n"
    }

    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
        return Int64(exactly: value).map { String($0) } ?? value.description
    }
}

extension MetricLabels {
    /// `a="b",c="d"`.
    var exposition: String {
        map { "\(MetricName.sanitised($0.name))=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
    }

    private static func escaped(_ value: String) -> String {
        value.reduce(into: "") { escaped, character in
            switch character {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "\n": escaped += "\\n"
            default: escaped.append(character)
            }
        }
    }
}

/// Names as Prometheus takes them.
enum MetricName {
    /// Dots and whatever else libraries put into names become underscores.
    static func sanitised(_ name: String) -> String {
        var text = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "a"..."z", "A"..."Z", "_", ":": text.unicodeScalars.append(scalar)
            case "0"..."9":
                if text.isEmpty { text = "_" }
                text.unicodeScalars.append(scalar)
            default: text += "_"
            }
        }
        return text.isEmpty ? "_" : text
    }
}
