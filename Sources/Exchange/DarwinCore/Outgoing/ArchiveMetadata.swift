/// The content of an archive's metadata document. It names organisations only: such documents are copied for years, and
/// nothing can be erased from the copies.
package struct ArchiveMetadata: Hashable, Sendable {
    package static let file = "eml.xml"

    /// A licence with the address of its legal code.
    package struct Licence: Hashable, Sendable {
        package var title: String
        package var url: String

        package init(title: String, url: String) {
            (self.title, self.url) = (title, url)
        }
    }

    /// The same for all days of a query: a UUID.
    package var dataset: String
    /// The day as of which the records are, such as 2026-05-01; nil for an export of a moment.
    package var day: String?
    package var title: String
    package var abstract: String
    /// The organisation that creates and publishes the data.
    package var organisation: String
    /// Its e-mail address, or the address of a page.
    package var contact: String
    /// Where the archive is described.
    package var url: String
    /// The licence that all records can be used under: the narrowest of theirs.
    package var licence: Licence
    /// How the archive is to be cited.
    package var citation: String

    package init(
        dataset: String, day: String?, title: String, abstract: String, organisation: String, contact: String,
        url: String, licence: Licence, citation: String
    ) {
        (self.dataset, self.day, self.title, self.abstract) = (dataset, day, title, abstract)
        (self.organisation, self.contact, self.url) = (organisation, contact, url)
        (self.licence, self.citation) = (licence, citation)
    }

    /// The document's identifier: a later day is a later version of the same dataset.
    package var packageID: String { "\(dataset)/v1" + (day.map { ".\($0)" } ?? "") }
}

extension ArchiveMetadata {
    private static let namespaces: [(StaticString, String)] = [
        ("xmlns:eml", "eml://ecoinformatics.org/eml-2.1.1"),
        ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"),
        (
            "xsi:schemaLocation",
            "eml://ecoinformatics.org/eml-2.1.1 http://rs.gbif.org/schema/eml-gbif-profile/1.1/eml.xsd"
        ),
    ]

    /// Which records are in an archive, and how they were checked.
    private static let acceptance =
        "Records submitted here are included once a moderator has approved them. Records of other datasets are "
        + "included as accepted by their source. A record that may lie at the margin of its taxon's range is rejected "
        + "only if two moderators agree. Rejected, withdrawn and unidentified records are left out, and so are those "
        + "without a licence. identificationVerificationStatus distinguishes the two kinds; the observer's own "
        + "confidence is in the extension Measurement Or Facts."

    private static let sampling =
        "Observers submit what they see, most of it without a sampling design; samplingProtocol and samplingEffort say "
        + "how where it is known. Absences are not recorded. Places of sensitive taxa, and those that observers "
        + "narrow, are generalised to the centre of a cell: see coordinatePrecision, dataGeneralizations and "
        + "informationWithheld."

    /// The document, in the Ecological Metadata Language.
    /// - Source: Ecological Metadata Language 2.1.1; GBIF metadata profile 1.1.
    func document() -> [UInt8] {
        var writer = MarkupWriter()
        let identity: [(StaticString, String)] = [
            ("packageId", packageID), ("system", url), ("scope", "system"), ("xml:lang", "en"),
        ]
        writer.element("eml:eml", Self.namespaces + identity) { writer in
            writer.element("dataset") { describe(in: &$0) }
            writer.element("additionalMetadata") { writer in
                writer.element("metadata") { writer in
                    writer.element("gbif") { writer in
                        if let day { writer.leaf("dateStamp", [], "\(day)T00:00:00Z") }
                        writer.leaf("hierarchyLevel", [], "dataset")
                        writer.leaf("citation", [], citation)
                    }
                }
            }
        }
        return writer.bytes
    }

    /// The order of the elements is the schema's.
    private func describe(in writer: inout MarkupWriter) {
        writer.leaf("alternateIdentifier", [], url)
        writer.leaf("title", [("xml:lang", "en")], title)
        writer.element("creator", [], party)
        writer.element("metadataProvider", [], party)
        if let day { writer.leaf("pubDate", [], day) }
        writer.leaf("language", [], "en")
        writer.element("abstract") { $0.leaf("para", [], abstract) }
        writer.element("keywordSet") { writer in
            writer.leaf("keyword", [], "Occurrence")
            writer.leaf(
                "keywordThesaurus", [],
                "GBIF Dataset Type Vocabulary: http://rs.gbif.org/vocabulary/gbif/dataset_type.xml")
        }
        writer.element("intellectualRights") { writer in
            writer.element("para") { writer in
                writer.element("ulink", [("url", licence.url)]) { $0.leaf("citetitle", [], licence.title) }
            }
        }
        writer.element("distribution", [("scope", "document")]) { writer in
            writer.element("online") { $0.leaf("url", [("function", "information")], url) }
        }
        writer.element("contact", [], party)
        writer.element("methods") { writer in
            writer.element("methodStep") { $0.element("description") { $0.leaf("para", [], Self.sampling) } }
            writer.element("qualityControl") { $0.element("description") { $0.leaf("para", [], Self.acceptance) } }
        }
    }

    private func party(in writer: inout MarkupWriter) {
        writer.leaf("organizationName", [], organisation)
        if contact.contains("@") {
            writer.leaf("electronicMailAddress", [], contact)
        } else {
            writer.leaf("onlineUrl", [], contact)
        }
    }
}
