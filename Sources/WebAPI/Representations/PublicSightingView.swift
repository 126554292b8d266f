package import Domain
package import FoundationEssentials

/// A sighting as anybody sees it: public values only, wherever they came from.
package struct PublicSightingView: Sendable, JSONRepresentable {
    /// Who saw it, under the name they chose.
    package struct Observer: Hashable, Sendable, JSONRepresentable {
        /// The observer's pseudonymous id.
        package var id: UUID
        /// The name they want to be seen under; nil for anonymous.
        package var displayName: String?

        /// Fills in everything.
        package init(id: UUID, displayName: String?) {
            self.id = id
            self.displayName = displayName
        }

        /// Writes the pseudonym and the public name.
        package func write(to writer: inout JSONWriter) {
            writer.object { writer in
                writer.field("id", id)
                writer.field("displayName", displayName)
            }
        }
    }

    /// The public id: of sensitive taxa another than the owner's.
    package var id: UUID
    /// What was seen.
    package var taxon: TaxonReference?
    /// The name as it was typed, where it may be shown.
    package var verbatimName: String?
    /// How many; nil for present but not counted.
    package var count: Int?
    /// How sure the observer is; nil for imported records.
    package var confidence: Int?
    /// When, no more precisely than it may be shown.
    package var observedAt: String
    /// The first local date of the time that is shown.
    package var observedFrom: CivilDate
    /// The last local date of it.
    package var observedTo: CivilDate
    /// Degrees north, WGS 84; nil where no place may be shown.
    package var latitude: Double?
    /// Degrees east, WGS 84.
    package var longitude: Double?
    /// Metres from the place to the farthest point where it can have been.
    package var uncertaintyMetres: Double?
    /// The width of the cell whose centre the place is, in degrees; nil for the place itself.
    package var coordinatePrecision: Double?
    /// ISO 3166-2, where the whole cell lies in it.
    package var state: String?
    /// The region's code, where the whole cell lies in it.
    package var region: String?
    /// ISO 3166-1, where the whole cell lies in it.
    package var country: String?
    /// `pending`, `approved` or `accepted-by-source`.
    package var status: String
    /// Whether the animal was kept by people.
    package var captive: Bool
    /// The licence's SPDX name; nil for an import without one.
    package var licence: String?
    /// Who saw it; nil where that may not be shown.
    package var observer: Observer?
    /// The dataset that it was imported with.
    package var dataset: DatasetReference?
    /// Remarks, where they may be shown.
    package var notes: String?
    /// `incidental`, `stationary`, `travelling`, `target`; nil for imported records.
    package var surveyProtocol: String?
    /// The position of the last public change; nil where it may not be shown.
    package var position: Int64?
    /// When it was first recorded; nil where it may not be shown.
    package var recordedAt: Instant?

    /// Fills in what every public sighting has; the rest is set afterwards.
    package init(
        id: UUID, observedAt: String, observedFrom: CivilDate, observedTo: CivilDate, status: String, captive: Bool
    ) {
        self.id = id
        self.observedAt = observedAt
        self.observedFrom = observedFrom
        self.observedTo = observedTo
        self.status = status
        self.captive = captive
    }

    /// Writes all that is public of the sighting.
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
        writer.field("coordinatePrecision", coordinatePrecision)
        writer.field("state", state)
        writer.field("region", region)
        writer.field("country", country)
    }

    private func writeRecord(_ writer: inout JSONWriter) {
        writer.field("status", status)
        writer.field("captive", captive)
        writer.field("licence", licence)
        writer.field("observer", observer)
        writer.field("dataset", dataset)
        writer.field("notes", notes)
        writer.field("protocol", surveyProtocol)
        writer.field("photos", json: "[]".utf8)
        writer.field("position", position)
        writer.field("recordedAt", recordedAt)
    }
}
