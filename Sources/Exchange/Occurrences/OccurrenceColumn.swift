/// A column of bulk answers, version `occurrences-1`. Its raw value is the heading: the name of a Darwin Core term.
///
/// The cases are in the order of the columns. Columns are only ever added, at the end: whoever reads a file by position
/// goes on reading it. `docs/darwin-core.md` lists them, and a test compares the two.
///
/// - Source: Darwin Core quick reference guide, https://dwc.tdwg.org/terms/.
package enum OccurrenceColumn: String, CaseIterable, Hashable, Sendable {
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

    /// Its place in a row, from 0.
    ///
    /// The value of a case without a payload is its place among the cases, in one byte. A look-up for each value would
    /// take longer than writing it; a test compares all places with those in `allCases`.
    package var index: Int { withUnsafeBytes(of: self) { Int($0[0]) } }

    /// The term's identifier, such as `http://rs.tdwg.org/dwc/terms/occurrenceID`.
    package var term: String {
        DarwinCoreTerm(name: rawValue)?.uri ?? "http://rs.tdwg.org/dwc/terms/" + rawValue
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
}
