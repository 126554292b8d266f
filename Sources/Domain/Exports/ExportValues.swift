/// The formats of exports.
package enum ExportFormat: String, Vocabulary {
    case csv, tsv, geojson, geojsonseq
    /// A Darwin Core archive.
    case dwca
    /// A table of the ranges of taxa.
    case ranges
    /// Visits with their records, as an archive of tables.
    case survey
}

/// Why an export could not be made.
package enum ExportFailure: String, Vocabulary {
    /// It took longer than an export may take.
    case tooLong = "too-long"
    /// It became larger than an export may be.
    case tooLarge = "too-large"
    /// Too little disk space was free.
    case noSpace = "no-space"
    /// It was made again, and the bytes were not those that it had.
    case differentBytes = "different-bytes"
    /// The service makes other bytes than when it was asked for.
    case outputVersion = "output-version"
    /// It failed again and again; the service's log has the reason.
    case internalError = "internal-error"
}

/// The name of a file in an archive: "occurrence.txt".
package struct MemberName: StoredCode {
    package let text: String
    package static let form = "must be 1 to 64 lower-case letters, digits, and . _ -"

    package static func hasForm(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                CodeCharacters.isLower($0) || CodeCharacters.isDigit($0) || "._-".utf8.contains($0)
            }
    }
}

/// A program and its version: "Skein 0.1.0".
package struct SoftwareName: StoredCode {
    package let text: String
    package static let form = "must be 1 to 64 printable ASCII characters"

    package static func hasForm(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }
}

/// A file in an archive.
package struct ExportMember: PayloadObject, Hashable {
    package var name: MemberName
    package var bytes: Int
    package var sha256: Fingerprint

    static let shape = Shape<Self>(
        Self.init, .required("name", \.name), .integer("bytes", \.bytes), .required("sha256", \.sha256))

    package init(name: MemberName, bytes: Int, sha256: Fingerprint) {
        (self.name, self.bytes, self.sha256) = (name, bytes, sha256)
    }
}

/// How many rows of an export have a licence.
package struct LicensedRows: PayloadObject, Hashable {
    package var licence: Licence
    package var rows: Int

    static let shape = Shape<Self>(Self.init, .required("licence", \.licence), .integer("rows", \.rows))

    package init(licence: Licence, rows: Int) {
        (self.licence, self.rows) = (licence, rows)
    }
}

/// How many rows of an export are of a dataset. Rows that were submitted here are of none.
package struct DatasetRows: PayloadObject, Hashable {
    package var id: DatasetID
    package var rows: Int

    static let shape = Shape<Self>(Self.init, .required("id", \.id), .integer("rows", \.rows))

    package init(id: DatasetID, rows: Int) {
        (self.id, self.rows) = (id, rows)
    }
}

/// The records that meet the filter of an export and are not in it.
package struct ExportOmissions: PayloadObject, Hashable {
    /// Records without a licence.
    package var noLicence: Int
    /// Records of datasets that are not passed on.
    package var notRepublished: Int
    /// Records without a taxon, or without another required term, which a Darwin Core archive must not have.
    package var unidentified: Int

    static let shape = Shape<Self>(
        Self.init,
        .integer("noLicence", \.noLicence),
        .integer("notRepublished", \.notRepublished),
        .integer("unidentified", \.unidentified))

    package init(noLicence: Int = 0, notRepublished: Int = 0, unidentified: Int = 0) {
        (self.noLicence, self.notRepublished, self.unidentified) = (noLicence, notRepublished, unidentified)
    }
}

/// The position that an export without a day is as of.
package struct ExportPin: PayloadObject, Hashable {
    /// P: the last position whose knowledge is in it.
    package var known: Int
    /// P for guarded records: the last position of the last month that was over at the request.
    package var guarded: Int

    static let shape = Shape<Self>(Self.init, .integer("known", \.known), .integer("guarded", \.guarded))

    package init(known: Int, guarded: Int) {
        (self.known, self.guarded) = (known, guarded)
    }
}

/// The positions of a revision: at the same ones, an export has the same rows.
package struct ExportMoment: PayloadPart, Hashable {
    /// P: the last position whose knowledge is in it.
    package var known: Int
    /// R: the last position whose restrictions were applied.
    package var shown: Int
    /// P for guarded records.
    package var guarded: Int
    /// M: the last position of the last month that was over when it was made.
    package var settled: Int

    static let shape = Shape<Self>(
        Self.init,
        .integer("known", \.known),
        .integer("shown", \.shown),
        .integer("guarded", \.guarded),
        .integer("settled", \.settled))

    package init(known: Int, shown: Int, guarded: Int, settled: Int) {
        (self.known, self.shown, self.guarded, self.settled) = (known, shown, guarded, settled)
    }
}
