/// Some of a sighting was changed. Only what changed is here: nil and unset stay out of the payload.
package struct SightingCorrected: EventPayload {
    /// The event's name in the log.
    package static let type = "SightingCorrected"
    /// The taxon.
    package var taxon: Change<TaxonID> = .unset
    /// What was said beyond the taxon.
    package var qualifier: Change<TaxonQualifier> = .unset
    /// The sensitivity of the new identification at the time.
    package var sensitivity: Change<SensitivityCategory> = .unset
    /// How many.
    package var count: Change<IndividualCount> = .unset
    /// How sure the observer is.
    package var confidence: Confidence?
    /// When.
    package var observed: ObservedInterval?
    /// The place, written as `latitude` and `longitude`.
    package var coordinate: Coordinate?
    /// How far the true place may be off.
    package var uncertainty: Change<UncertaintyMetres> = .unset
    /// What was found out about the place.
    package var place: Place?
    /// Whether it is kept or planted by people.
    package var captive: Bool?
    /// Under which licence it is given.
    package var licence: Change<Licence> = .unset
    /// The outing it belongs to.
    package var visit: Change<Visit> = .unset
    /// How the observer was looking.
    package var surveyProtocol: SurveyProtocol?
    /// The fingerprint of the row's content, for imports.
    package var occurrence: Fingerprint?
    /// The import that changed it.
    package var batch: BatchID?
    /// The fields that were rewritten or erased beside the log.
    package var content: [ContentField] = []

    /// A correction of nothing, to be filled.
    package init() {}

    /// Whether nothing changes.
    package var isEmpty: Bool { self == SightingCorrected() }

    /// Reads the members.
    package init(_ reader: PayloadReader) throws(PayloadFault) {
        taxon = try reader.change("taxon")
        qualifier = try reader.change("qualifier")
        sensitivity = try reader.change("sensitivity")
        count = try reader.change("count")
        confidence = try reader.optional("confidence")
        observed = try reader.optional("observed")
        coordinate = try Coordinate(optional: reader)
        uncertainty = try reader.change("uncertaintyMetres")
        place = try reader.optional("place")
        captive = try reader.optional("captive")
        licence = try reader.change("licence")
        visit = try reader.change("visit")
        surveyProtocol = try reader.optional("protocol")
        occurrence = try reader.optional("occurrence")
        batch = try reader.optional("batch")
        content = try reader.list("content")
    }

    /// Writes the members.
    package func write(fields writer: inout PayloadWriter) {
        writer.field("taxon", taxon)
        writer.field("qualifier", qualifier)
        writer.field("sensitivity", sensitivity)
        writer.field("count", count)
        writer.field("confidence", confidence)
        writer.field("observed", observed)
        coordinate?.write(fields: &writer)
        writer.field("uncertaintyMetres", uncertainty)
        writer.field("place", place)
        writer.field("captive", captive)
        writer.field("licence", licence)
        writer.field("visit", visit)
        writer.field("protocol", surveyProtocol)
        writer.field("occurrence", occurrence)
        writer.field("batch", batch)
        writer.field("content", content)
    }
}
