package import Domain
package import FoundationEssentials

/// A sighting as its owner sees it: everything, with the exact place.
package struct FindingView: Sendable, JSONRepresentable {
    /// The sighting's id.
    package var id: UUID
    /// What was seen; nil where the name fits no taxon.
    package var taxon: TaxonReference?
    /// The name as it was typed; nil where a taxon was chosen by its id.
    package var verbatimName: String?
    /// How many; nil for present but not counted.
    package var count: Int?
    /// How sure the observer is, 1 to 10.
    package var confidence: Int?
    /// When, as it was said: an instant with offset, a date, a month or a year.
    package var observedAt: String
    /// The first moment of the observation.
    package var observedFrom: Instant
    /// The first moment after it; for an instant the same moment.
    package var observedTo: Instant
    /// Degrees north, WGS 84.
    package var latitude: Double
    /// Degrees east, WGS 84.
    package var longitude: Double
    /// Radius around the place in which the animal was, in metres.
    package var uncertaintyMetres: Double?
    /// ISO 3166-2.
    package var state: String?
    /// The region's code.
    package var region: String?
    /// How the state was found: `inside`, `nearest`, `listed`, `none`.
    package var regionBasis: String
    /// Metres to the nearest polygon, where that is how the state was found.
    package var regionDistanceMetres: Double?
    /// `pending`, `approved`, `rejected`, `withdrawn`, `accepted-by-source`.
    package var status: String
    /// Whether the animal was kept by people.
    package var captive: Bool
    /// The licence's SPDX name.
    package var licence: String
    /// `open`, `obscured`, `private`.
    package var geoprivacy: String
    /// Remarks as typed.
    package var notes: String?
    /// The outing.
    package var visit: VisitView?
    /// `incidental`, `stationary`, `travelling`, `target`.
    package var surveyProtocol: String
    /// The targets that prompted the sighting.
    package var promptedBy: UUID?
    /// The stream's version.
    package var version: Int
    /// The position of the last event that this representation knows.
    package var position: Int64
    /// When the sighting was first recorded.
    package var recordedAt: Instant
    /// Taxa that the typed name may have meant; only in the answer to a submission whose name fits none.
    package var suggestions: [TaxonReference]?

    /// Fills in what every sighting has; the rest is set afterwards.
    package init(
        id: UUID, observedAt: String, observedFrom: Instant, observedTo: Instant, latitude: Double, longitude: Double,
        regionBasis: String, status: String, captive: Bool, licence: String, geoprivacy: String,
        surveyProtocol: String, version: Int, position: Int64, recordedAt: Instant
    ) {
        self.id = id
        self.observedAt = observedAt
        self.observedFrom = observedFrom
        self.observedTo = observedTo
        self.latitude = latitude
        self.longitude = longitude
        self.regionBasis = regionBasis
        self.status = status
        self.captive = captive
        self.licence = licence
        self.geoprivacy = geoprivacy
        self.surveyProtocol = surveyProtocol
        self.version = version
        self.position = position
        self.recordedAt = recordedAt
    }

    /// Writes what was seen, where, and how it is recorded, in one object.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writeObservation(&writer)
            writePlace(&writer)
            writeRecord(&writer)
        }
    }

    private func writeObservation(_ writer: inout JSONWriter) {
        writer.field("id", id)
        writer.field("taxon", taxon)
        writer.field("verbatimName", verbatimName)
        writer.field("count", count)
        writer.field("confidence", confidence)
        writer.field("observedAt", observedAt)
        writer.field("observedFrom", observedFrom)
        writer.field("observedTo", observedTo)
    }

    private func writePlace(_ writer: inout JSONWriter) {
        writer.field("latitude", latitude)
        writer.field("longitude", longitude)
        writer.field("uncertaintyMetres", uncertaintyMetres)
        writer.field("state", state)
        writer.field("region", region)
        writer.field("regionBasis", regionBasis)
        writer.field("regionDistanceMetres", regionDistanceMetres)
    }

    private func writeRecord(_ writer: inout JSONWriter) {
        writer.field("status", status)
        writer.field("captive", captive)
        writer.field("licence", licence)
        writer.field("geoprivacy", geoprivacy)
        writer.field("notes", notes)
        writer.field("visit", visit)
        writer.field("protocol", surveyProtocol)
        writer.field("promptedBy", promptedBy)
        // No sighting has photos; the member keeps the shape that the document promises.
        writer.field("photos", json: "[]".utf8)
        writer.field("version", version)
        writer.field("position", position)
        writer.field("recordedAt", recordedAt)
        if let suggestions { writer.field("suggestions", suggestions) }
    }
}
