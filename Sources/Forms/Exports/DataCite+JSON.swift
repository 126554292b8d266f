import Domain
package import JSON
package import Service

/// `datacite.json`: the citation for a repository that registers DOIs. It has none itself.
///
/// - Source: DataCite Metadata Schema 4.5, https://schema.datacite.org/meta/kernel-4.5/.
package struct DataCiteMetadata: JSONRepresentable {
    private let facts: ExportFacts

    package init(_ facts: ExportFacts) {
        self.facts = facts
    }

    package func write(to writer: inout JSONWriter) {
        let citation = facts.citation
        writer.object { writer in
            writer.field("schemaVersion", "http://datacite.org/schema/kernel-4")
            writer.field("types") { writer in
                writer.field("resourceTypeGeneral", "Dataset")
                writer.field("resourceType", "Occurrences")
            }
            writer.list("creators") { writer in
                writer.field("name", citation.publisher)
                writer.field("nameType", "Organizational")
            }
            writer.list("titles") { $0.field("title", citation.title) }
            writer.field("publisher") { $0.field("name", citation.publisher) }
            writer.field("publicationYear", String(citation.year))
            writer.field("language", "en")
            writer.field("version", "revision \(facts.revision)")
            writer.list("descriptions") { writer in
                writer.field("description", facts.subject.abstract(of: facts.contents))
                writer.field("descriptionType", "Abstract")
            }
            writeDates(&writer)
            writeIdentifiers(&writer)
            writeFile(&writer)
            writeRights(&writer)
            writePlaces(&writer)
            writeDatasets(&writer)
        }
    }

    private func writeDates(_ writer: inout JSONWriter) {
        let (day, filter) = (facts.subject.day, facts.subject.filter)
        writer.key("dates")
        writer.beginArray()
        writer.object { writer in
            writer.field("date", day.date.description)
            writer.field("dateType", "Created")
            writer.field(
                "dateInformation", day.asOf == nil ? "The records as of a moment of the day (UTC)" : Self.endOfDay)
        }
        if let from = filter.from, let to = filter.to {
            writer.object { writer in
                writer.field("date", "\(from)/\(to)")
                writer.field("dateType", "Collected")
            }
        }
        writer.endArray()
    }

    private static let endOfDay = "The records as of the end of the day (UTC)"

    private func writeIdentifiers(_ writer: inout JSONWriter) {
        let identifiers = [
            ("URN", "urn:uuid:\(facts.subject.id)"), ("SHA-256", facts.sha256.text), ("URL", facts.citation.url),
        ]
        writer.field("alternateIdentifiers", array: identifiers.filter { $0.1 != nil }) { writer, identifier in
            writer.object { writer in
                writer.field("alternateIdentifier", identifier.1)
                writer.field("alternateIdentifierType", identifier.0)
            }
        }
    }

    private func writeFile(_ writer: inout JSONWriter) {
        writer.key("formats")
        writer.array([facts.subject.contentType]) { $0.string($1) }
        writer.key("sizes")
        let unit = facts.subject.format == .ranges ? "rows" : "records"
        writer.array(["\(facts.bytes) bytes", "\(facts.contents.rows) \(unit)"]) { $0.string($1) }
    }

    private func writeRights(_ writer: inout JSONWriter) {
        let licences = Licence.allCases.filter { facts.contents.licences[$0] ?? 0 > 0 }
        writer.field("rightsList", array: licences) { writer, licence in
            writer.object { writer in
                writer.field("rights", licence.title)
                writer.field("rightsUri", licence.legalCode)
                writer.field("rightsIdentifier", licence.rawValue)
                writer.field("rightsIdentifierScheme", "SPDX")
            }
        }
    }

    private func writePlaces(_ writer: inout JSONWriter) {
        let (places, box) = (facts.subject.placeNames, facts.subject.filter.box)
        guard !places.isEmpty || box != nil else { return }
        writer.list("geoLocations") { writer in
            if !places.isEmpty { writer.field("geoLocationPlace", places.joined(separator: ", ")) }
            if let box {
                writer.field("geoLocationBox") { writer in
                    writer.field("westBoundLongitude", box.west)
                    writer.field("eastBoundLongitude", box.east)
                    writer.field("southBoundLatitude", box.south)
                    writer.field("northBoundLatitude", box.north)
                }
            }
        }
    }

    private func writeDatasets(_ writer: inout JSONWriter) {
        guard !facts.contents.datasets.isEmpty else { return }
        writer.field("relatedItems", array: facts.contents.datasetsByRows) { writer, dataset in
            writer.object { writer in
                writer.field("relatedItemType", "Dataset")
                writer.field("relationType", "IsDerivedFrom")
                writer.list("titles") { $0.field("title", dataset.title) }
                if let publisher = dataset.publisher { writer.field("publisher", publisher) }
            }
        }
    }
}

extension JSONWriter {
    /// Writes a member that is an array with one object.
    fileprivate mutating func list(_ name: StaticString, _ members: (inout JSONWriter) -> Void) {
        key(name)
        beginArray()
        object(members)
        endArray()
    }
}
