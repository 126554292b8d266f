import Domain

/// `citation.bib`: the export and its datasets as entries of BibTeX, in UTF-8.
///
/// - Source: Patashnik, "BibTeXing" (1988), section 3; The LaTeX Companion, third edition, for the escapes.
package struct BibliographyFile {
    private let facts: ExportFacts

    package init(_ facts: ExportFacts) {
        self.facts = facts
    }

    package var bytes: [UInt8] {
        let entries = [export] + facts.contents.datasetsByRows.map(entry)
        return Array(entries.joined(separator: "\n").utf8)
    }

    private var export: String {
        let citation = facts.citation
        return Self.entry(
            "skein_\(facts.subject.id)_\(facts.revision)",
            [
                ("author", "{" + Self.escaped(citation.publisher) + "}"),
                ("title", "{" + Self.escaped(citation.title) + "}"),
                ("year", String(citation.year)),
                ("version", "revision \(citation.revision)"),
                ("url", citation.url.map(Self.address)),
                (
                    "note",
                    Self.escaped("Dataset. \(citation.credit). SHA-256: \(facts.sha256.text)")
                ),
            ])
    }

    private func entry(of dataset: ExportFacts.Dataset) -> String {
        Self.entry(
            "skein_dataset_\(dataset.id)",
            [
                ("author", "{" + Self.escaped(dataset.publisher ?? dataset.title) + "}"),
                ("title", "{" + Self.escaped(dataset.title) + "}"),
                ("note", Self.escaped(dataset.citation ?? "Dataset")),
            ])
    }

    private static func entry(_ key: String, _ fields: [(name: String, value: String?)]) -> String {
        let lines = fields.compactMap { name, value in value.map { "  \(name) = {\($0)}" } }
        return "@misc{\(key),\n\(lines.joined(separator: ",\n"))\n}\n"
    }

    /// Text in which nothing is a command of TeX. Braces are written by name: BibTeX counts them even when escaped.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "{\\textbackslash}"
            case "{": result += "{\\textbraceleft}"
            case "}": result += "{\\textbraceright}"
            case "~": result += "{\\textasciitilde}"
            case "^": result += "{\\textasciicircum}"
            case "&", "%", "$", "#", "_": result += "\\\(scalar)"
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}": result += " "
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// An address as it is, but for what would end the field.
    private static func address(_ url: String) -> String {
        var result = ""
        for scalar in url.unicodeScalars {
            switch scalar {
            case "{": result += "%7B"
            case "}": result += "%7D"
            case "\\": result += "%5C"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
