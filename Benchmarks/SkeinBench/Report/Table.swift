/// Readings as a Markdown table with aligned columns.
struct Table {
    private let rows: [[String]]

    init(_ readings: [Reading]) {
        rows =
            [["measure", "ours", "reference", "ratio (spread)", "aim", "met"]]
            + readings.map { reading in
                [
                    reading.name, reading.ours, reading.reference, reading.ratio, reading.aim,
                    reading.isMet.map { $0 ? "yes" : "no" } ?? "-",
                ]
            }
    }

    var text: String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        let lines = rows.map { row in
            let cells = zip(row, widths).map { cell, width in cell + String(repeating: " ", count: width - cell.count) }
            return "| " + cells.joined(separator: " | ") + " |"
        }
        let rule = "|" + widths.map { String(repeating: "-", count: $0 + 2) }.joined(separator: "|") + "|"
        return ([lines[0], rule] + lines.dropFirst()).joined(separator: "\n")
    }
}
