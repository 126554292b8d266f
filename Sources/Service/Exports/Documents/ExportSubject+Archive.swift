import Domain
package import Exchange
package import FoundationEssentials

extension ExportSubject {
    /// The metadata of the export as a Darwin Core archive. It is part of the hashed bytes: it says nothing that a
    /// record outside the archive, a release or the clock could change.
    /// - Parameters:
    ///   - dataset: the same for all archives of the filter.
    ///   - contact: `SKEIN_CONTACT`, an address of mail or of a page.
    package func archiveMetadata(
        dataset: UUID, revision: Int, contents: ExportFacts.Contents, contact: String
    ) -> ArchiveMetadata {
        let citation = ExportCitation(subject: self, revision: revision, contents: contents)
        let licence = contents.narrowestLicence
        return ArchiveMetadata(
            dataset: dataset.uuidString.lowercased(), day: day.asOf?.description, title: title,
            abstract: abstract(of: contents), organisation: publisher, contact: contact,
            url: url ?? "urn:uuid:\(id)",
            licence: .init(title: licence.title, url: licence.legalCode),
            citation: citation.text)
    }

    /// The export in a few sentences.
    package func abstract(of contents: ExportFacts.Contents) -> String {
        let dating =
            switch day {
            case .end(let date): "They are as they were known at the end of \(date) (UTC)."
            case .moment(let date):
                "They are as they were known at a moment on \(date); only the export's id repeats them."
            }
        let licences = Licence.allCases.compactMap { licence in
            contents.licences[licence].map { "\($0) under \(licence.rawValue)" }
        }
        let unit = format == .ranges ? "records" : "rows"
        let sentences = [
            "\(title).", rows(contents), dating,
            "Each record has a licence of its own\(licences.isEmpty ? "" : ": " + licences.joined(separator: ", ")).",
            "\(contents.generalised) \(unit) are generalised to protect a sensitive species or an observer.",
        ]
        return sentences.joined(separator: " ")
    }

    private func rows(_ contents: ExportFacts.Contents) -> String {
        format == .ranges
            ? "\(contents.rows) rows, each for a taxon, a region and a period, "
                + "computed from \(contents.records) records."
            : "\(contents.rows) rows, each a sighting of wildlife."
    }
}
