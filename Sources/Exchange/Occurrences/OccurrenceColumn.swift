/// A column of bulk answers, version `occurrences-1`: a term of Darwin Core. The case names are the terms' own.
///
/// The cases are in the order of the columns. Columns are only ever added, at the end: whoever reads a file by position
/// goes on reading it. `docs/darwin-core.md` lists them, and a test compares the two.
///
/// - Source: Darwin Core quick reference guide, https://dwc.tdwg.org/terms/.
package enum OccurrenceColumn: UInt8, CaseIterable, Hashable, Sendable {
    /// The version of the columns, in manifests.
    package static let version = "occurrences-1"

    // The occurrence
    case occurrenceID, basisOfRecord, occurrenceStatus

    // The taxon
    case scientificName, scientificNameAuthorship, taxonRank, kingdom, phylum, `class`, order, family, genus
    case vernacularName, taxonID, identificationQualifier, verbatimIdentification, identificationVerificationStatus

    // The observation
    case eventDate, individualCount, organismQuantity, organismQuantityType, sex, lifeStage, degreeOfEstablishment

    // The place
    case decimalLatitude, decimalLongitude, geodeticDatum, coordinateUncertaintyInMeters, coordinatePrecision
    case countryCode, stateProvince, higherGeography, locality

    // How it was observed, and by whom
    case recordedBy, recordedByID, eventID, samplingProtocol, samplingEffort, sampleSizeValue, sampleSizeUnit
    case occurrenceRemarks, associatedMedia

    // The record
    case license, rightsHolder, institutionCode, collectionCode, catalogNumber, datasetID, datasetName
    case bibliographicCitation, dataGeneralizations, informationWithheld, references, dynamicProperties

    /// How a value is to be read. In GeoJSON, numbers are JSON numbers; all others are text.
    package enum Kind: String, Sendable {
        case text, integer, decimal, boolean
    }

    /// Its place in a row, from 0. It is needed for each value, so it is not looked up.
    package var index: Int { Int(rawValue) }

    /// The term's name as Darwin Core writes it, which is the column's heading.
    package var name: String { Self.names[index] }

    /// The term's identifier, such as `http://rs.tdwg.org/dwc/terms/occurrenceID`.
    package var term: String {
        DarwinCoreTerm(name: name)?.uri ?? "http://rs.tdwg.org/dwc/terms/" + name
    }

    package var kind: Kind {
        switch self {
        case .individualCount: .integer
        case .decimalLatitude, .decimalLongitude, .coordinateUncertaintyInMeters, .coordinatePrecision: .decimal
        default: .text
        }
    }

    /// The unit of a number; nil for text, and for what has none.
    package var unit: String? {
        switch self {
        case .decimalLatitude, .decimalLongitude, .coordinatePrecision: "degree"
        case .coordinateUncertaintyInMeters: "metre"
        default: nil
        }
    }

    private static let names = allCases.map { String(describing: $0) }
}
