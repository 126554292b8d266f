import Domain
package import JSON
package import Service

/// The manifest of a revision of an export.
package struct ExportManifest: JSONRepresentable {
    private let facts: ExportFacts

    package init(_ facts: ExportFacts) {
        self.facts = facts
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writeIdentity(&writer)
            writeQuery(&writer)
            writeFile(&writer)
            writeContents(&writer)
            writer.field("taxonomy", facts.versions.taxonomy)
            writer.field("sensitivity", facts.versions.sensitivity)
            writer.field("polygons", facts.versions.polygons)
            writer.field("software", facts.versions.software)
        }
    }

    private func writeIdentity(_ writer: inout JSONWriter) {
        let citation = facts.citation
        writer.field("id", facts.subject.id)
        writer.field("revision", facts.revision)
        writer.field("title", citation.title)
        writer.field("citation", citation.text)
        writer.field("url", citation.url)
    }

    private func writeQuery(_ writer: inout JSONWriter) {
        let subject = facts.subject
        writer.field("format", subject.format)
        writer.field("outputVersion", subject.outputVersion)
        writer.field("columns", array: subject.columns) { writer, column in
            writer.object { writer in
                writer.field("name", column.name)
                writer.field("term", column.term)
                writer.field("type", column.type)
                writer.field("unit", column.unit)
            }
        }
        writer.field("filter", FilterView(filter: subject.filter, ranges: subject.ranges))
        writer.field("statuses", subject.filter.shownStatuses)
        writer.field("asOf", subject.day.asOf)
    }

    private func writeFile(_ writer: inout JSONWriter) {
        writer.field("rows", facts.contents.rows)
        writer.field("bytes", facts.bytes)
        writer.field("sha256", facts.sha256)
        writer.field("members", array: facts.members) { writer, member in
            writer.object { writer in
                writer.field("name", member.name)
                writer.field("bytes", member.bytes)
                writer.field("sha256", member.sha256)
            }
        }
    }

    private func writeContents(_ writer: inout JSONWriter) {
        let contents = facts.contents
        writer.field("licences") { writer in
            for licence in Licence.allCases {
                if let rows = contents.licences[licence] { writer.field(named: licence.rawValue, rows) }
            }
        }
        writer.field("datasets", array: contents.datasetsByRows) { $0.object(Self.members(of: $1)) }
        writer.field("leftOut") { writer in
            writer.field("noLicence", facts.leftOut.noLicence)
            writer.field("notRepublished", facts.leftOut.notRepublished)
            writer.field("unidentified", facts.leftOut.unidentified)
        }
        writer.field("generalised", contents.generalised)
        writer.field("replacedCharacters", contents.replacedCharacters)
    }

    private static func members(of dataset: ExportFacts.Dataset) -> (inout JSONWriter) -> Void {
        { writer in
            writer.field("id", dataset.id)
            writer.field("title", dataset.title)
            writer.field("publisher", dataset.publisher)
            writer.field("licence", dataset.licence)
            writer.field("citation", dataset.citation)
            writer.field("rows", dataset.rows)
            if dataset.isNamed { writer.field("republish", Republishing.no.rawValue) }
        }
    }
}
