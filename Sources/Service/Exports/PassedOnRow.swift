import Bytes
import Domain
import Exchange
import JSON

/// The own columns of an imported row that are passed on with its record, which is not generalised.
struct PassedOnRow: Hashable, Sendable {
    /// Columns that a bulk answer has.
    let columns: [OccurrenceColumn: String]
    /// All others that the import did not read, by their headings, sorted.
    let others: [JSONMember]
    /// The row's own id, if every format can have it: without control characters, and without spaces around it.
    let occurrenceID: String?

    /// Columns that a bulk answer takes from the row, unless the record itself has a value.
    private static let own: Set<OccurrenceColumn> = [
        .sex, .lifeStage, .locality, .recordedBy, .recordedByID, .eventID, .samplingProtocol, .samplingEffort,
        .sampleSizeValue, .sampleSizeUnit, .occurrenceRemarks, .associatedMedia, .rightsHolder, .institutionCode,
        .collectionCode, .catalogNumber, .bibliographicCitation, .organismQuantity, .organismQuantityType,
        .verbatimIdentification,
    ]

    /// Terms that the import reads: their meaning is in the record, which may have been corrected since.
    private static let read: Set<DarwinCoreTerm> = [
        .occurrenceID, .occurrenceStatus, .basisOfRecord, .scientificName, .genericName, .genus, .specificEpithet,
        .infraspecificEpithet, .identificationQualifier, .acceptedNameUsage, .vernacularName, .eventDate, .eventTime,
        .year, .month, .day, .decimalLatitude, .decimalLongitude, .coordinateUncertaintyInMeters, .individualCount,
        .license,
    ]

    /// - Parameter content: as an import stores it: a JSON object of terms by name, with all other columns under
    ///   `dynamicProperties`.
    init?(content: String) {
        let limits = JSONLimits(allowsRepeatedNames: true)
        guard let stored = try? JSONValue(parsing: Array(content.utf8), limits: limits) else { return nil }
        var columns: [OccurrenceColumn: String] = [:]
        var others: [String: JSONValue] = [:]
        var ownProperties: String?
        for member in stored.members {
            switch (member.value, DarwinCoreTerm(name: member.name)) {
            case (.object(let foreign), .dynamicProperties):
                for column in foreign { others[column.name] = column.value }
            case (.string(let text), .dynamicProperties): ownProperties = text
            case (.string(let text), let term?):
                if let column = OccurrenceColumn(rawValue: term.name), Self.own.contains(column) {
                    columns[column] = text
                } else if term == .basisOfRecord {
                    columns[.basisOfRecord] = Self.basis(text)
                } else if !Self.read.contains(term) {
                    others[term.name] = .string(text)
                }
            default: break
            }
        }
        if columns[.verbatimIdentification] == nil { columns[.verbatimIdentification] = stored["verbatimName"]?.string }
        if let ownProperties { others[DarwinCoreTerm.dynamicProperties.name] = .string(ownProperties) }
        self.columns = columns
        self.others = others.map { JSONMember($0.key, $0.value) }.sorted { $0.name.isBefore($1.name) }
        occurrenceID = stored[DarwinCoreTerm.occurrenceID.name]?.string.flatMap { Self.isPlain($0) ? $0 : nil }
    }

    /// The others as one JSON object; nil for none. The row's own `dynamicProperties` come as they are if there is
    /// nothing else.
    var dynamicProperties: String? {
        guard let first = others.first else { return nil }
        if others.count == 1, first.name == DarwinCoreTerm.dynamicProperties.name { return first.value.string }
        var writer = JSONWriter(capacity: 256)
        writer.object { writer in
            for member in others { writer.field(named: member.name, member.value.string ?? "") }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private static func isPlain(_ text: String) -> Bool {
        var bytes = Array(text.utf8)
        return !text.isEmpty && text.trimmed == text && ControlCharacters.replace(in: &bytes) == 0
    }

    /// The basis of a record in Darwin Core's spelling; nil for other words.
    /// - Source: Darwin Core `basisOfRecord`.
    private static func basis(_ text: String) -> String? {
        let form = text.vocabularyForm
        return bases.first { $0.vocabularyForm == form }
    }

    private static let bases = [
        "HumanObservation", "MachineObservation", "PreservedSpecimen", "FossilSpecimen", "LivingSpecimen",
        "MaterialSample", "MaterialEntity", "MaterialCitation", "Occurrence",
    ]
}

extension String {
    /// The order of their UTF-8, which is the same everywhere.
    fileprivate func isBefore(_ other: String) -> Bool {
        utf8.lexicographicallyPrecedes(other.utf8)
    }
}
