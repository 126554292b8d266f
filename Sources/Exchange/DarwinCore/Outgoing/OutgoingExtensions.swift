/// A photo of an occurrence: a row of the extension Simple Multimedia.
package struct OutgoingMedia: Hashable, Sendable {
    /// The address of the file itself, absolute.
    package var identifier: String
    /// The media type, such as `image/jpeg`.
    package var format: String
    /// The address of the licence's legal code; nil if there is none.
    package var licence: String?
    /// The photographer's public name.
    package var creator: String?

    package init(identifier: String, format: String = "image/jpeg", licence: String? = nil, creator: String? = nil) {
        (self.identifier, self.format, self.licence, self.creator) = (identifier, format, licence, creator)
    }
}

/// The hash of a photo's file: a row of the extension Audiovisual Media Description, because Simple Multimedia has no
/// term for it.
package struct OutgoingFileHash: Hashable, Sendable {
    /// The address of the file, as ``OutgoingMedia/identifier``.
    package var identifier: String
    /// The SHA-256 of its bytes, in hexadecimal digits.
    package var sha256: String

    package init(identifier: String, sha256: String) {
        (self.identifier, self.sha256) = (identifier, sha256)
    }
}

/// An identification of an occurrence: a row of the extension Identification History.
package struct OutgoingIdentification: Hashable, Sendable {
    package var id: String?
    /// Public name or role of who identified it.
    package var identifiedBy: String?
    /// A day.
    package var date: String?
    package var scientificName: String
    package var authorship: String?
    package var rank: String?
    package var taxonID: String?
    package var qualifier: String?
    /// How far it was verified.
    package var verificationStatus: String?
    package var remarks: String?

    package init(scientificName: String) {
        self.scientificName = scientificName
    }
}

/// A measurement of an occurrence, or a fact about it: a row of the extension Measurement Or Facts.
package struct OutgoingMeasurement: Hashable, Sendable {
    package var type: String
    package var value: String
    package var unit: String?
    package var method: String?

    package init(type: String, value: String, unit: String? = nil, method: String? = nil) {
        (self.type, self.value, self.unit, self.method) = (type, value, unit, method)
    }

    /// The observer's confidence in the identification.
    /// - Parameter value: 1 to 10.
    package static func confidence(_ value: Int) -> OutgoingMeasurement {
        OutgoingMeasurement(
            type: "confidence", value: String(value),
            method: "Rated by the observer from 1 to 10: 1 is a guess, 5 likely, 8 sure of the species, "
                + "10 in the hand or photographed beyond doubt.")
    }
}

/// A row of an extension, without the id of its occurrence.
protocol ExtensionRow {
    static var table: OutgoingTable { get }
    /// In the order of the table's columns.
    var values: [String?] { get }
}

extension OutgoingMedia: ExtensionRow {
    /// - Source: https://rs.gbif.org/extension/gbif/1.0/multimedia.xml
    static let table = OutgoingTable(
        file: "multimedia.txt", rowType: "http://rs.gbif.org/terms/1.0/Multimedia",
        columns: ["type", "format", "identifier", "license", "creator"], namespace: "http://purl.org/dc/terms/")

    var values: [String?] { ["StillImage", format, identifier, licence, creator] }
}

extension OutgoingFileHash: ExtensionRow {
    /// - Source: https://rs.gbif.org/extension/ac/audiovisual_2024_11_07.xml
    static let table = OutgoingTable(
        file: "audiovisual.txt", rowType: "http://rs.tdwg.org/ac/terms/Multimedia",
        columns: [
            ("http://purl.org/dc/terms/", ["identifier"]),
            ("http://rs.tdwg.org/ac/terms/", ["accessURI", "hashFunction", "hashValue"]),
        ])

    var values: [String?] { [identifier, identifier, "SHA-256", sha256] }
}

extension OutgoingIdentification: ExtensionRow {
    /// - Source: https://rs.gbif.org/extension/dwc/identification_history_2025-07-10.xml
    static let table = OutgoingTable(
        file: "identification.txt", rowType: "http://rs.tdwg.org/dwc/terms/Identification",
        columns: [
            "identificationID", "identifiedBy", "dateIdentified", "scientificName", "scientificNameAuthorship",
            "taxonRank", "taxonID", "identificationQualifier", "identificationVerificationStatus",
            "identificationRemarks",
        ], namespace: OutgoingTable.darwinCore)

    var values: [String?] {
        [
            id, identifiedBy, date, scientificName, authorship, rank, taxonID, qualifier, verificationStatus, remarks,
        ]
    }
}

extension OutgoingMeasurement: ExtensionRow {
    /// - Source: https://rs.gbif.org/extension/dwc/measurements_or_facts_2025-07-10.xml
    static let table = OutgoingTable(
        file: "measurementorfact.txt", rowType: "http://rs.tdwg.org/dwc/terms/MeasurementOrFact",
        columns: ["measurementType", "measurementValue", "measurementUnit", "measurementMethod"],
        namespace: OutgoingTable.darwinCore)

    var values: [String?] { [type, value, unit, method] }
}
