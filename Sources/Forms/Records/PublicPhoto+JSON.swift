import Domain
package import JSON
import ReadModels
package import Service

extension ShownPhoto: JSONRepresentable {
    /// A photo as anyone sees it.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("id", row.id)
            writer.field("sightingId", row.record)
            writer.field("taxonId", row.taxon)
            writer.field("width", row.width)
            writer.field("height", row.height)
            writer.field("altText", altText)
            writer.field("licence", row.licence)
            writer.field("credit", credit)
            writer.field("publishedOn", row.published)
            writer.field("urls", PhotoURLs(path: "/v1/photos/\(row.id)", hasOriginal: false))
        }
    }
}

/// A photo among those of a public record.
struct RecordPhotoView: JSONRepresentable {
    let photo: RecordPhoto
    /// The observer's public name; nil for an anonymous one, and if guarded.
    let credit: String?

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("id", photo.id)
            writer.field("width", photo.width)
            writer.field("height", photo.height)
            writer.field("altText", photo.altText)
            writer.field("licence", photo.licence)
            writer.field("credit", credit)
            writer.field("urls", PhotoURLs(path: "/v1/photos/\(photo.id)", hasOriginal: false))
        }
    }
}
