package import Domain

/// Everything that the documents of a revision of an export say. The documents are functions of it.
package struct ExportFacts: Hashable, Sendable {
    /// A dataset with rows in the export; its texts as of the export's day.
    package struct Dataset: Hashable, Sendable {
        package var id: DatasetID
        package var title: String
        package var publisher: String?
        package var licence: Licence?
        /// The citation that its publisher asks for.
        package var citation: String?
        package var rows: Int
        /// Whether an operator named it though its records are not passed on.
        package var isNamed: Bool

        package init(
            id: DatasetID, title: String, publisher: String? = nil, licence: Licence? = nil, citation: String? = nil,
            rows: Int, isNamed: Bool = false
        ) {
            (self.id, self.title, self.publisher, self.licence) = (id, title, publisher, licence)
            (self.citation, self.rows, self.isNamed) = (citation, rows, isNamed)
        }
    }

    /// What follows from the rows.
    package struct Contents: Hashable, Sendable {
        package var rows: Int
        /// The records of the rows: for a table of ranges, those that it considers; else, each row is one.
        package var records: Int
        /// Records by licence.
        package var licences: [Licence: Int]
        package var datasets: [Dataset]
        /// Rows whose place or time is generalised.
        package var generalised: Int
        /// Control characters of values that became spaces.
        package var replacedCharacters: Int

        package init(
            rows: Int, records: Int? = nil, licences: [Licence: Int] = [:], datasets: [Dataset] = [],
            generalised: Int = 0, replacedCharacters: Int = 0
        ) {
            (self.rows, self.records, self.licences, self.datasets) = (rows, records ?? rows, licences, datasets)
            (self.generalised, self.replacedCharacters) = (generalised, replacedCharacters)
        }
    }

    /// The versions of the lists and rules that the records were made with.
    package struct Versions: Hashable, Sendable {
        package var taxonomy: String
        package var sensitivity: String
        /// Nil for an export of a program that did not record it.
        package var polygons: String?
        /// As ``polygons``.
        package var software: String?

        package init(taxonomy: String, sensitivity: String, polygons: String?, software: String?) {
            (self.taxonomy, self.sensitivity) = (taxonomy, sensitivity)
            (self.polygons, self.software) = (polygons, software)
        }
    }

    package var subject: ExportSubject
    /// From 1.
    package var revision: Int
    package var contents: Contents
    package var leftOut: ExportOmissions
    /// The size of the file.
    package var bytes: Int
    /// The SHA-256 of the file.
    package var sha256: Fingerprint
    /// The files in it, if it is an archive.
    package var members: [ExportMember]
    package var versions: Versions

    package init(
        subject: ExportSubject, revision: Int, contents: Contents, leftOut: ExportOmissions = ExportOmissions(),
        bytes: Int, sha256: Fingerprint, members: [ExportMember] = [], versions: Versions
    ) {
        (self.subject, self.revision, self.contents, self.leftOut) = (subject, revision, contents, leftOut)
        (self.bytes, self.sha256, self.members, self.versions) = (bytes, sha256, members, versions)
    }

    package var citation: ExportCitation {
        ExportCitation(subject: subject, revision: revision, contents: contents)
    }
}

extension ExportFacts.Contents {
    /// The datasets with the most rows first.
    package var datasetsByRows: [ExportFacts.Dataset] {
        datasets.sorted { ($1.rows, $0.id) < ($0.rows, $1.id) }
    }

    /// Records that were submitted here.
    package var submitted: Int { records - datasets.reduce(0) { $0 + $1.rows } }

    /// The narrowest licence of the rows, under which all of them may be used.
    package var narrowestLicence: Licence {
        let used = Set(licences.filter { $0.value > 0 }.keys)
        return [Licence.byNonCommercial, .by].first(where: used.contains) ?? .cc0
    }
}
