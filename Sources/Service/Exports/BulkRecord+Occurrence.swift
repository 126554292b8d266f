import Bytes
package import Domain
package import Exchange
import FoundationEssentials
import JSON
import ReadModels

extension BulkRecord {
    /// The record in Darwin Core terms.
    /// - Parameters:
    ///   - baseURL: the service's public address, without a slash at its end; nil for no addresses.
    ///   - format: Darwin Core archives have degrees with five decimals, all others with six.
    package func occurrence(baseURL: String?, for format: ExportFormat = .csv) -> OutgoingOccurrence {
        var occurrence = OutgoingOccurrence()
        occurrence[.occurrenceID] = occurrenceID
        occurrence[.basisOfRecord] = basisOfRecord
        occurrence[.occurrenceStatus] = "present"
        setTaxon(&occurrence)
        setObservation(&occurrence)
        setPlace(&occurrence, decimals: format == .dwca ? 5 : 6)
        setObserver(&occurrence, baseURL)
        setRights(&occurrence, baseURL)
        for value in (row?.columns ?? []).reversed() where !occurrence.has(value.column) {
            occurrence[value.column] = value.text
        }
        return occurrence
    }

    /// Observers have seen what they submit; an imported row names its basis, or none.
    private var basisOfRecord: String {
        record.row.dataset == nil ? "HumanObservation" : row?[.basisOfRecord] ?? "Occurrence"
    }

    private func setTaxon(_ occurrence: inout OutgoingOccurrence) {
        if let taxon = lineage.first {
            occurrence[.scientificName] = taxon.summary.scientificName
            occurrence[.scientificNameAuthorship] = taxon.authorship
            occurrence[.taxonRank] = taxon.summary.rank.rawValue
            occurrence[.vernacularName] = taxon.summary.commonName
            occurrence.set(.taxonID) { UUIDText.append(taxon.summary.id.uuid, to: &$0) }
        }
        for taxon in lineage {
            guard let column = taxon.summary.rank.column else { continue }
            occurrence[column] = taxon.summary.scientificName
        }
        if !record.row.isGuarded { occurrence[.identificationQualifier] = record.row.qualifier?.written }
        occurrence[.verbatimIdentification] = record.verbatimName
        occurrence[.identificationVerificationStatus] = record.row.status?.rawValue
    }

    private func setObservation(_ occurrence: inout OutgoingOccurrence) {
        occurrence[.eventDate] = record.row.observed?.description
        occurrence[.individualCount] = record.row.count.map { String($0) }
        if let range = record.row.countRange {
            occurrence[.organismQuantity] = range.rawValue
            occurrence[.organismQuantityType] = "range of individuals"
        }
        if record.row.captive == true {
            occurrence[.degreeOfEstablishment] = lineage.first?.summary.kind == .plant ? "cultivated" : "captive"
        }
        occurrence[.samplingProtocol] = record.row.surveyProtocol?.rawValue
        occurrence[.occurrenceRemarks] = record.notes
    }

    private func setPlace(_ occurrence: inout OutgoingOccurrence, decimals: Int) {
        occurrence[.geodeticDatum] = "EPSG:4326"
        if let coordinate = record.row.coordinate {
            occurrence.set(.decimalLatitude) { DecimalDegrees.append(coordinate.latitude, decimals: decimals, to: &$0) }
            occurrence.set(.decimalLongitude) {
                DecimalDegrees.append(coordinate.longitude, decimals: decimals, to: &$0)
            }
        }
        if let uncertainty = record.row.uncertainty {
            var writer = JSONWriter(capacity: 16)
            writer.number(uncertainty)
            occurrence.set(.coordinateUncertaintyInMeters) { $0.append(contentsOf: writer.bytes) }
        }
        occurrence[.coordinatePrecision] = cell
        occurrence[.countryCode] = record.row.country?.text
        occurrence[.stateProvince] = record.row.state?.text
        occurrence[.higherGeography] = record.row.region?.text
        occurrence[.dataGeneralizations] = generalisation
        occurrence[.informationWithheld] = withheld
    }

    private func setObserver(_ occurrence: inout OutgoingOccurrence, _ baseURL: String?) {
        occurrence[.recordedBy] = record.observerName
        if let observer = record.row.observer {
            occurrence.set(.recordedByID) { UUIDText.append(observer.uuid, to: &$0) }
        }
        if let baseURL, !record.photos.isEmpty {
            occurrence[.associatedMedia] = record.photos.map { $0.address(at: baseURL) }.joined(separator: " | ")
        }
    }

    private func setRights(_ occurrence: inout OutgoingOccurrence, _ baseURL: String?) {
        occurrence[.license] = record.row.licence?.legalCode
        if let dataset {
            occurrence.set(.datasetID) { UUIDText.append(dataset.id.uuid, to: &$0) }
            occurrence[.datasetName] = dataset.title
            occurrence[.rightsHolder] = row?[.rightsHolder] ?? dataset.rightsHolder
            occurrence[.bibliographicCitation] = row?[.bibliographicCitation] ?? dataset.citation
        }
        if let baseURL {
            occurrence.set(.references) { bytes in
                bytes.append(contentsOf: baseURL.utf8)
                bytes.append(contentsOf: "/v1/sightings/".utf8)
                UUIDText.append(record.row.id.uuid, to: &bytes)
            }
        }
        occurrence[.dynamicProperties] = row?.dynamicProperties ?? ownProperties
    }

    /// Values of the record that have no column.
    private var ownProperties: String? {
        var members: [String] = []
        if let confidence = record.row.confidence { members.append("\"confidence\":\(confidence)") }
        if !reasons.isEmpty {
            let words = reasons.map { "\"\($0.rawValue)\"" }.joined(separator: ",")
            members.append("\"reasons\":[\(words)]")
        }
        return members.isEmpty ? nil : "{\(members.joined(separator: ","))}"
    }
}

extension TaxonRank {
    /// The column for the name of a taxon of the rank; nil for most ranks.
    fileprivate var column: OccurrenceColumn? {
        switch self {
        case .kingdom: .kingdom
        case .phylum: .phylum
        case .class: .class
        case .order: .order
        case .family: .family
        case .genus: .genus
        default: nil
        }
    }
}

// MARK: - What is not told exactly

// Every text depends on public values only: the same for all reasons for which a record may look like this.
extension BulkRecord {
    /// The side of the record's cell in degrees; nil for an exact place.
    private var cell: String? {
        switch record.row.decimals {
        case 1: "0.1"
        case 2: "0.01"
        case 3: "0.001"
        default: nil
        }
    }

    private var generalisation: String? {
        var parts: [String] = []
        if let cell { parts.append("coordinates are the centre of a cell of \(cell) degrees") }
        if record.row.isGuarded {
            parts.append("the date is that of the month; the count is a range")
        } else if let decimals = record.row.decimals, decimals <= 2 {
            parts.append("the date is without the time of day")
        }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    private var withheld: String? {
        var parts: [String] = []
        if record.row.coordinate == nil, record.row.isGuarded {
            parts.append("place")
        } else if cell != nil {
            parts.append("exact place")
        }
        if record.row.isGuarded {
            parts.append("observer, exact date and count, confidence, notes, name as given, photos")
        }
        if record.row.dataset != nil, row == nil { parts.append("original identifier and further columns") }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}

extension TaxonQualifier {
    /// As Darwin Core files write it.
    var written: String {
        switch self {
        case .sp: "sp."
        case .cf: "cf."
        case .aff: "aff."
        case .slash, .hybrid: rawValue
        }
    }
}

/// Degrees as decimal text.
enum DecimalDegrees {
    /// Appends the nearest number with so many decimals, without zeros at its end.
    ///
    /// The centre of a cell has just the decimals of the cell and a five: it is neither rounded nor padded.
    /// - Parameter decimals: 0 to 9.
    static func append(_ degrees: Double, decimals: Int, to bytes: inout [UInt8]) {
        let decimals = min(max(decimals, 0), 9)
        var unit = 1
        for _ in 0..<decimals { unit *= 10 }
        guard let scaled = Int(exactly: (degrees * Double(unit)).rounded()) else { return }
        if scaled < 0 { bytes.append(UInt8(ascii: "-")) }
        let (whole, rest) = scaled.magnitude.quotientAndRemainder(dividingBy: UInt(unit))
        bytes.append(contentsOf: String(whole).utf8)
        guard rest > 0 else { return }
        bytes.append(UInt8(ascii: "."))
        var (left, place) = (rest, UInt(unit) / 10)
        while left > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(left / place))
            (left, place) = (left % place, place / 10)
        }
    }
}
