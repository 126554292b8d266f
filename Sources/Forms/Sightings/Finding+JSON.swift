package import Domain
package import JSON
package import ReadModels
package import Service

extension Finding: JSONRepresentable {
    /// A sighting as its owner sees it: everything, with the exact place.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writeObservation(&writer)
            writePlace(&writer)
            writeRecord(&writer)
        }
    }

    private func writeObservation(_ writer: inout JSONWriter) {
        writer.field("id", id)
        writer.field("publicId", publicID)
        writer.field("taxon", taxon)
        writer.field("verbatimName", verbatimName)
        writer.field("count", details.count)
        writer.field("confidence", details.confidence)
        writer.field("observedAt", details.observed.value.description)
        writer.field("observedFrom", details.observed.from)
        writer.field("observedTo", details.observed.to)
    }

    private func writePlace(_ writer: inout JSONWriter) {
        writer.field("latitude", details.coordinate.latitude)
        writer.field("longitude", details.coordinate.longitude)
        writer.field("uncertaintyMetres", details.uncertainty?.value)
        writer.field("state", details.place.state)
        writer.field("region", details.place.region)
        writer.field("regionBasis", details.place.basis)
        writer.field("regionDistanceMetres", details.place.distanceMetres)
        writer.field("borderState", details.place.borderState)
        writer.field("borderRegion", details.place.borderRegion)
    }

    private func writeRecord(_ writer: inout JSONWriter) {
        writer.field("status", status)
        writer.field("review", review)
        writer.field("captive", details.captive)
        writer.field("licence", details.licence)
        writer.field("geoprivacy", details.geoprivacy)
        writer.field("notes", notes)
        writer.field("visit", details.visit)
        writer.field("protocol", details.surveyProtocol)
        writer.field("promptedBy", promptedBy)
        writer.field("photos", photos)
        writer.field("missingPhotos", missingPhotos.map(\.text))
        writer.field("version", version)
        writer.field("recordedAt", createdAt)
        if !suggestions.isEmpty { writer.field("suggestions", suggestions) }
    }
}

extension OwnReview: JSONRepresentable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("kind", kind)
            writer.field("reasons", reasons)
            writer.field("parkedUntil", parkedUntil)
        }
    }
}

extension Visit: JSONRepresentable {
    package func write(to writer: inout JSONWriter) {
        writer.object { write(members: &$0) }
    }

    package func write(members writer: inout JSONWriter) {
        writer.field("id", id)
        writer.field("startedAt", startedAt)
        writer.field("minutes", minutes)
        writer.field("distanceKm", distanceKm)
        writer.field("observers", observers)
        writer.field("complete", complete)
    }
}
