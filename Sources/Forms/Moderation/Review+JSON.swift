import Domain
package import JSON
import ReadModels
package import Service

extension ReviewedSighting: JSONRepresentable {
    /// A sighting as moderators see it: with its exact place, its review and the evidence.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in writeMembers(&writer) }
    }

    fileprivate func writeMembers(_ writer: inout JSONWriter) {
        writer.field("sighting", finding)
        writer.field("observerId", observer)
        writer.field("review", ReviewView(review: review))
        writer.field("evidence", evidence.map(EvidenceView.init))
        writer.field("photos", photos.map(SightingPhotoView.init))
        writer.field("conversation", conversation)
    }
}

/// A photo among those of its sighting.
private struct SightingPhotoView: JSONRepresentable {
    let photo: PhotoRow

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("id", photo.id)
            writer.field("status", photo.status)
            writer.field("hidden", photo.hiding != nil)
            writer.field("width", photo.width)
            writer.field("height", photo.height)
            writer.field("urls", PhotoURLs(path: "/v1/moderation/photos/\(photo.id)", hasOriginal: true))
            writer.field("version", photo.version)
        }
    }
}

extension ReviewWord: JSONRepresentable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("kind", kind)
            writer.field("event", event)
            writer.field("by", role)
            writer.field("name", name)
            writer.field("reasons", reasons)
            writer.field("taxonId", taxon)
            writer.field("text", text)
            writer.field("recordedAt", recordedAt)
        }
    }
}

/// The state of a sighting's review.
private struct ReviewView: JSONRepresentable {
    let review: SightingReview

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("reasons", review.reasons)
            writer.field("secondOpinion", review.firstOpinion != nil)
            writer.field("firstReasons", review.firstOpinion?.reasons ?? [])
            writer.field("appealed", review.appealedFrom != nil)
            writer.field("parkedUntil", review.parkedUntil)
            writer.field("flags", review.flags.count)
            writer.field("flagReasons", Set(review.flags.values).sorted { $0.rawValue < $1.rawValue })
        }
    }
}

private struct EvidenceView: JSONRepresentable {
    let evidence: SightingEvidence

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("acceptedRecords", evidence.acceptedRecords)
            writer.field("atMargin", evidence.isAtMargin)
            writer.field("nearestWithinMetres", evidence.nearestWithinMetres)
            writer.field("latitudePercentile", evidence.latitudePercentile)
            writer.field("dayOfYearPercentile", evidence.dayOfYearPercentile)
            writer.field("observerApproved", evidence.observerApproved)
            writer.field("observerRejected", evidence.observerRejected)
        }
    }
}

extension QueueEntry: JSONRepresentable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("subject", item.subject)
            writer.field("id", item.id)
            // The version of the state that is shown, which may be newer than the queue's.
            writer.field("version", photo?.photo.version ?? sighting.finding.version)
            writer.field("waitingSince", item.waitingSince)
            writer.field("review", item.review)
            writer.field("flags", item.flags)
            writer.field("photo", photo)
            writer.field("resembles", resembles)
            writer.field("sightingReview", sighting)
        }
    }
}

extension ReviewedPhoto: JSONRepresentable {
    /// A photo as moderators see it.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("id", photo.id)
            writer.field("sightingId", photo.sighting)
            writer.field("status", photo.status)
            writer.field("reasons", photo.reasons)
            writer.field("hidden", photo.hiding != nil)
            writer.field("width", photo.width)
            writer.field("height", photo.height)
            writer.field("altText", photo.altText)
            writer.field("licence", photo.licence)
            writer.field("hints", photo.hints)
            writer.field("urls", PhotoURLs(path: "/v1/moderation/photos/\(photo.id)", hasOriginal: true))
            writer.field("version", photo.version)
            writer.field("recordedAt", photo.uploadedAt)
            writer.field("conversation", conversation)
        }
    }
}
