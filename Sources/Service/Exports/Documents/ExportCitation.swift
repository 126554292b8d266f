import Domain

/// How an export is cited: organisation, year, title, datasets, address. No part of it depends on when it is read.
///
/// - Source: GBIF, Citation guidelines, https://www.gbif.org/citation-guidelines.
package struct ExportCitation: Hashable, Sendable {
    /// Datasets that the text names; the manifest has them all.
    private static let namedDatasets = 5

    package let publisher: String
    package let year: Int
    package let title: String
    package let revision: Int
    /// Nil if the service does not know its public address.
    package let url: String?
    /// How many records there are of which dataset.
    package let credit: String
    private let id: String

    init(subject: ExportSubject, revision: Int, contents: ExportFacts.Contents) {
        publisher = subject.publisher
        year = subject.day.date.year
        title = subject.title
        self.revision = revision
        url = subject.url
        id = subject.id.description
        credit = Self.credit(contents)
    }

    /// One line of a reference list.
    package var text: String {
        "\(publisher) (\(year)). \(title). Revision \(revision). \(credit). \(url ?? "Export \(id)")"
    }

    private static func credit(_ contents: ExportFacts.Contents) -> String {
        let total = records(contents.records)
        guard !contents.datasets.isEmpty else { return total }
        let datasets = contents.datasetsByRows
        var parts = datasets.prefix(namedDatasets).map { "\($0.rows) of \($0.title)" }
        let others = datasets.dropFirst(namedDatasets)
        if !others.isEmpty {
            let rows = others.reduce(0) { $0 + $1.rows }
            parts.append("\(rows) of \(others.count) other dataset\(others.count == 1 ? "" : "s")")
        }
        if contents.submitted > 0 { parts.append("\(contents.submitted) submitted by observers") }
        return "\(total): \(parts.joined(separator: "; "))"
    }

    private static func records(_ count: Int) -> String {
        count == 1 ? "1 record" : "\(count) records"
    }
}
