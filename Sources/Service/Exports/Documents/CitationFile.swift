import Domain

/// `CITATION.cff`: the citation as YAML. Every text is in double quotes.
///
/// - Source: Citation File Format 1.2.0, https://citation-file-format.github.io/; YAML 1.2.2, sections 5.1 and 5.7.
package struct CitationFile {
    private let facts: ExportFacts

    package init(_ facts: ExportFacts) {
        self.facts = facts
    }

    package var bytes: [UInt8] { Array(lines.joined(separator: "\n").utf8) + [0x0A] }

    private var lines: [String] {
        let (subject, citation) = (facts.subject, facts.citation)
        return [
            "cff-version: 1.2.0",
            "message: \"Cite the export, and the datasets that it has records of.\"",
            "type: dataset",
            "title: \(Self.quoted(citation.title))",
            "authors:",
            "  - name: \(Self.quoted(citation.publisher))",
            "version: \(Self.quoted("revision \(facts.revision)"))",
            "date-released: \(Self.quoted(subject.day.date.description))",
            "license: \(facts.contents.narrowestLicence.rawValue)",
            "abstract: \(Self.quoted(subject.abstract(of: facts.contents)))",
        ] + (citation.url.map { ["url: \(Self.quoted($0))"] } ?? []) + identifiers + references
    }

    private var identifiers: [String] {
        [
            "identifiers:",
            "  - type: other",
            "    value: \(Self.quoted("urn:uuid:\(facts.subject.id)"))",
            "    description: \"The export.\"",
            "  - type: other",
            "    value: \(Self.quoted("sha256:\(facts.sha256.text)"))",
            "    description: \"The SHA-256 of the file.\"",
        ]
    }

    private var references: [String] {
        guard !facts.contents.datasets.isEmpty else { return [] }
        return ["references:"] + facts.contents.datasetsByRows.flatMap(Self.reference)
    }

    private static func reference(to dataset: ExportFacts.Dataset) -> [String] {
        var lines = [
            "  - type: data",
            "    title: \(quoted(dataset.title))",
            "    authors:",
            "      - name: \(quoted(dataset.publisher ?? dataset.title))",
        ]
        if let licence = dataset.licence { lines.append("    license: \(licence.rawValue)") }
        let rows = dataset.rows == 1 ? "1 record." : "\(dataset.rows) records."
        lines.append("    notes: \(quoted([rows, dataset.citation].compactMap { $0 }.joined(separator: " ")))")
        return lines
    }

    /// A text in double quotes, in which every character that YAML reserves, cannot have or reads as a line break is
    /// escaped.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x22: result += "\\\""
            case 0x5C: result += "\\\\"
            case 0..<0x20, 0x7F..<0xA0: result += "\\x" + hexadecimal(scalar, digits: 2)
            case 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF: result += "\\u" + hexadecimal(scalar, digits: 4)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    private static func hexadecimal(_ scalar: Unicode.Scalar, digits: Int) -> String {
        let text = String(scalar.value, radix: 16, uppercase: true)
        return String(repeating: "0", count: digits - text.count) + text
    }
}
