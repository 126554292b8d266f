/// A row of a dataset became a record, or came back as one. The row as it came is beside the log.
///
/// Optional values are changes, because a record that comes back must also say what it no longer has.
package struct SightingImported: EventPayload {
    /// The event's name in the log.
    package static let type = "SightingImported"
    /// The dataset.
    package var dataset: DatasetID
    /// The import.
    package var batch: BatchID
    /// The taxon.
    package var taxon: Change<TaxonID>
    /// What was said beyond the taxon.
    package var qualifier: Change<TaxonQualifier>
    /// The sensitivity of the identification at the time.
    package var sensitivity: Change<SensitivityCategory>
    /// How many.
    package var count: Change<IndividualCount>
    /// When.
    package var observed: ObservedInterval
    /// The place, written as `latitude` and `longitude`.
    package var coordinate: Coordinate
    /// How far the true place may be off.
    package var uncertainty: Change<UncertaintyMetres>
    /// What was found out about the place.
    package var place: Place
    /// Whether it was kept or planted by people.
    package var captive: Bool
    /// The record's own licence.
    package var licence: Change<Licence>
    /// The fingerprint of the row's content.
    package var occurrence: Fingerprint
    /// The fields that were written beside the log.
    package var content: [ContentField]

    /// Reads the members.
    package init(_ reader: PayloadReader) throws(PayloadFault) {
        dataset = try reader.required("dataset")
        batch = try reader.required("batch")
        taxon = try reader.change("taxon")
        qualifier = try reader.change("qualifier")
        sensitivity = try reader.change("sensitivity")
        count = try reader.change("count")
        observed = try reader.required("observed")
        coordinate = try Coordinate(reader)
        uncertainty = try reader.change("uncertaintyMetres")
        place = try reader.required("place")
        captive = try reader.required("captive")
        licence = try reader.change("licence")
        occurrence = try reader.required("occurrence")
        content = try reader.list("content")
    }

    /// Writes the members.
    package func write(fields writer: inout PayloadWriter) {
        writer.field("dataset", dataset)
        writer.field("batch", batch)
        writer.field("taxon", taxon)
        writer.field("qualifier", qualifier)
        writer.field("sensitivity", sensitivity)
        writer.field("count", count)
        writer.field("observed", observed)
        coordinate.write(fields: &writer)
        writer.field("uncertaintyMetres", uncertainty)
        writer.field("place", place)
        writer.field("captive", captive)
        writer.field("licence", licence)
        writer.field("occurrence", occurrence)
        writer.field("content", content)
    }
}

extension SightingImported {
    /// The event of a row; where a record comes back, what it had before and has no longer is cleared.
    init(_ command: ImportSighting, before record: SightingRecord?) {
        func change<Value: Equatable>(_ old: Value?, _ new: Value?) -> Change<Value> {
            new.map(Change.set) ?? (old == nil ? .unset : .cleared)
        }
        dataset = command.dataset
        batch = command.batch
        taxon = change(record?.taxon, command.identification?.taxon)
        qualifier = change(record?.qualifier, command.identification?.qualifier)
        sensitivity = change(record?.sensitivity, command.identification?.sensitivity)
        count = change(record?.count, command.count)
        observed = command.observed
        coordinate = command.location.coordinate
        uncertainty = change(record?.uncertainty, command.uncertainty)
        place = command.location.place
        captive = command.captive
        licence = change(record?.licence, command.licence)
        occurrence = command.occurrence
        content = [.record]
    }
}
