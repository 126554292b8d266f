import Domain
package import JSON
package import Service

extension OwnedPhoto: JSONRepresentable {
    /// A photo as its owner sees it.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("id", id)
            writer.field("sightingId", sighting)
            writer.field("status", status)
            writer.field("reasons", reasons)
            writer.field("hidden", hiding != nil)
            writer.field("sha256", original)
            writer.field("width", width)
            writer.field("height", height)
            writer.field("bytes", bytes)
            writer.field("altText", altText)
            writer.field("licence", licence)
            writer.field("capturedAt", capture.capturedAt)
            writer.field("capturedAtTag", capture.capturedAtTag)
            writer.field("capturedPlace", capture.coordinate.map(CapturedPlace.init))
            writer.field("hints", hints)
            writer.field("urls", PhotoURLs(path: "/v1/me/photos/\(id)", hasOriginal: true))
            writer.field("version", version)
            writer.field("recordedAt", uploadedAt)
        }
    }
}

/// The place of the capture, from the photo's metadata.
private struct CapturedPlace: JSONRepresentable {
    let coordinate: Coordinate

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("latitude", coordinate.latitude)
            writer.field("longitude", coordinate.longitude)
        }
    }
}

/// The paths of a photo's files.
struct PhotoURLs: JSONRepresentable {
    /// The photo's own path.
    let path: String
    let hasOriginal: Bool

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            for name in RenditionName.allCases { writer.field(name.key, "\(path)/\(name.rawValue)") }
            if hasOriginal { writer.field("original", "\(path)/original") }
        }
    }
}

extension RenditionName {
    fileprivate var key: StaticString {
        switch self {
        case .thumb: "thumb"
        case .medium: "medium"
        case .large: "large"
        }
    }
}
