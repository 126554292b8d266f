import Bytes
import Domain
import Exchange
import JSON

/// The own columns of an imported row that are passed on with its record, which is not generalised.
struct PassedOnRow: Hashable, Sendable {
    /// Columns that a bulk answer has, in the order of the row; the last of one name counts. A search of these few is
    /// faster than a look-up in a dictionary.
    let columns: [Column]
    /// All others that the import did not read, by their headings, sorted.
    let others: [JSONMember]
    /// The row's own id, if every format can have it: without control characters, and without spaces around it. A
    /// `urn:uuid:` is in upper or lower case.
    let occurrenceID: String?

    /// A value of the row.
    struct Column: Hashable, Sendable {
        let column: OccurrenceColumn
        let text: String
    }

    subscript(column: OccurrenceColumn) -> String? {
        columns.last { $0.column == column }?.text
    }

    /// - Parameter content: as an import stores it: a JSON object of terms by name, with all other columns under
    ///   `dynamicProperties`.
    init?(content: String) {
        let limits = JSONLimits(allowsRepeatedNames: true)
        guard let stored = try? JSONValue(parsing: Array(content.utf8), limits: limits) else { return nil }
        var columns: [Column] = []
        var others: [String: JSONValue] = [:]
        var ownProperties: String?
        var (occurrenceID, verbatimName): (String?, String?)
        for member in stored.members {
            switch (member.value, PassedOnMember(of: member.name)) {
            case (.object(let foreign), .properties): for column in foreign { others[column.name] = column.value }
            case (.string(let text), .properties): ownProperties = text
            case (.string(let text), .column(let column)): columns.append(Column(column: column, text: text))
            case (.string(let text), .basis):
                if let basis = Self.basis(text) { columns.append(Column(column: .basisOfRecord, text: basis)) }
            case (.string(let text), .occurrenceID): occurrenceID = text
            case (.string(let text), .verbatimName): verbatimName = text
            case (.string(let text), .other(let name)): others[name] = .string(text)
            default: break
            }
        }
        if let verbatimName, !columns.contains(where: { $0.column == .verbatimIdentification }) {
            columns.append(Column(column: .verbatimIdentification, text: verbatimName))
        }
        if let ownProperties { others[DarwinCoreTerm.dynamicProperties.name] = .string(ownProperties) }
        self.columns = columns
        self.others = others.map { JSONMember($0.key, $0.value) }.sorted { $0.name.isBefore($1.name) }
        self.occurrenceID = occurrenceID.flatMap { Self.isPlain($0) ? $0 : nil }
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
            && !BulkRecord.isOdd(urn: text)
    }

    /// The basis of a record in Darwin Core's spelling; nil for other words.
    /// - Source: Darwin Core `basisOfRecord`.
    private static func basis(_ text: String) -> String? {
        if bases.contains(text) { return text }
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
