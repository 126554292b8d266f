/// An observer sent a sighting in. Notes and the name as typed are beside the log.
package struct SightingSubmitted: EventPayload {
    /// The event's name in the log.
    package static let type = "SightingSubmitted"
    /// The observer's account.
    package var observer: AccountID
    /// The taxon; nil for unidentified.
    package var taxon: TaxonID?
    /// What was said beyond the taxon.
    package var qualifier: TaxonQualifier?
    /// The sensitivity of the identification at the time.
    package var sensitivity: SensitivityCategory?
    /// How many; nil for present but not counted.
    package var count: IndividualCount?
    /// How sure the observer is.
    package var confidence: Confidence
    /// When.
    package var observed: ObservedInterval
    /// The place, written as `latitude` and `longitude`.
    package var coordinate: Coordinate
    /// How far the true place may be off.
    package var uncertainty: UncertaintyMetres?
    /// What was found out about the place.
    package var place: Place
    /// Whether it is kept or planted by people.
    package var captive: Bool
    /// Under which licence it is given.
    package var licence: Licence
    /// How much of its place may be seen.
    package var geoprivacy: Geoprivacy
    /// The outing it belongs to.
    package var visit: Visit?
    /// How the observer was looking.
    package var surveyProtocol: SurveyProtocol
    /// The targets that asked for this taxon then.
    package var promptedBy: TargetsID?
    /// The fields that were written beside the log.
    package var content: [ContentField]

    /// Reads the members.
    package init(_ reader: PayloadReader) throws(PayloadFault) {
        observer = try reader.required("observer")
        taxon = try reader.optional("taxon")
        qualifier = try reader.optional("qualifier")
        sensitivity = try reader.optional("sensitivity")
        count = try reader.optional("count")
        confidence = try reader.required("confidence")
        observed = try reader.required("observed")
        coordinate = try Coordinate(reader)
        uncertainty = try reader.optional("uncertaintyMetres")
        place = try reader.required("place")
        captive = try reader.required("captive")
        licence = try reader.required("licence")
        geoprivacy = try reader.required("geoprivacy")
        visit = try reader.optional("visit")
        surveyProtocol = try reader.required("protocol")
        promptedBy = try reader.optional("promptedBy")
        content = try reader.list("content")
    }

    /// Writes the members.
    package func write(fields writer: inout PayloadWriter) {
        writer.field("observer", observer)
        writer.field("taxon", taxon)
        writer.field("qualifier", qualifier)
        writer.field("sensitivity", sensitivity)
        writer.field("count", count)
        writer.field("confidence", confidence)
        writer.field("observed", observed)
        coordinate.write(fields: &writer)
        writer.field("uncertaintyMetres", uncertainty)
        writer.field("place", place)
        writer.field("captive", captive)
        writer.field("licence", licence)
        writer.field("geoprivacy", geoprivacy)
        writer.field("visit", visit)
        writer.field("protocol", surveyProtocol)
        writer.field("promptedBy", promptedBy)
        writer.field("content", content)
    }
}

extension SightingSubmitted {
    /// The event of a submission.
    init(_ command: SubmitSighting, content: [ContentField]) {
        observer = command.observer
        taxon = command.identification?.taxon
        qualifier = command.identification?.qualifier
        sensitivity = command.identification?.sensitivity
        count = command.count
        confidence = command.confidence
        observed = command.observed
        coordinate = command.location.coordinate
        uncertainty = command.uncertainty
        place = command.location.place
        captive = command.captive
        licence = command.licence
        geoprivacy = command.geoprivacy
        visit = command.visit
        surveyProtocol = command.surveyProtocol
        promptedBy = command.promptedBy
        self.content = content
    }
}
