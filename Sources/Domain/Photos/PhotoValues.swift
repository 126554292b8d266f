package import JSON

/// The formats that an uploaded photo may have, by their media types.
package enum ImageType: String, Vocabulary {
    case jpeg = "image/jpeg"
    case png = "image/png"
    case webp = "image/webp"
    case heic = "image/heic"
}

/// The names of a photo's renditions, by size.
package enum RenditionName: String, Vocabulary {
    /// At most 320 pixels on the longer side.
    case thumb
    /// At most 800.
    case medium
    /// At most 2,048.
    case large
}

/// A rendition of a photo: a JPEG of one size, without metadata.
package struct PhotoRendition: Hashable, Sendable {
    package var name: RenditionName
    /// The SHA-256 of its bytes.
    package var sha256: Fingerprint
    /// Pixels.
    package var width: Int
    package var height: Int
    package var bytes: Int

    package init(name: RenditionName, sha256: Fingerprint, width: Int, height: Int, bytes: Int) {
        self.name = name
        self.sha256 = sha256
        self.width = width
        self.height = height
        self.bytes = bytes
    }
}

extension PhotoRendition: PayloadValue {
    package init(payload: JSONValue) throws(RuleViolation) {
        name = try payload.required("name")
        sha256 = try payload.required("sha256")
        guard let width = payload["width"]?.integer, let height = payload["height"]?.integer,
            let bytes = payload["bytes"]?.integer
        else { throw RuleViolation(.type, "must have whole numbers as width, height and bytes") }
        (self.width, self.height, self.bytes) = (width, height, bytes)
    }

    package func write(to writer: inout PayloadWriter) {
        writer.object { writer in
            writer.field("name", name)
            writer.field("sha256", sha256)
            writer.field("width", integer: width)
            writer.field("height", integer: height)
            writer.field("bytes", integer: bytes)
        }
    }
}

/// The status of a photo.
package enum PhotoStatus: String, Vocabulary {
    /// Not reviewed yet, or reopened.
    case pending
    case approved, rejected
    /// Deleted by its owner.
    case deleted
}

/// The uploaded image, its renditions and its perceptual hash.
package struct PhotoImage: PayloadPart, Hashable {
    /// The SHA-256 of the original. Must never be public.
    package var original: Fingerprint
    package var type: ImageType
    /// Pixels, upright.
    package var width: Int
    package var height: Int
    /// The size of the original.
    package var bytes: Int
    package var renditions: [PhotoRendition]
    package var perceptualHash: PerceptualHash
    /// The hashes by which later photos that are alike find it; empty for photos of earlier versions.
    package var likeness: [LikenessHash]

    static let shape = Shape<Self>(
        Self.init,
        .required("original", \.original),
        .required("mediaType", \.type),
        .integer("width", \.width),
        .integer("height", \.height),
        .integer("bytes", \.bytes),
        .list("renditions", \.renditions),
        .required("perceptualHash", \.perceptualHash),
        .list("likeness", \.likeness))

    package init(
        original: Fingerprint, type: ImageType, width: Int, height: Int, bytes: Int, renditions: [PhotoRendition],
        perceptualHash: PerceptualHash, likeness: [LikenessHash] = []
    ) {
        self.original = original
        self.type = type
        self.width = width
        self.height = height
        self.bytes = bytes
        self.renditions = renditions
        self.perceptualHash = perceptualHash
        self.likeness = likeness
    }
}

/// Time and place of a photo's capture, from its metadata, for its owner. Kept beside the log, as JSON.
package struct PhotoCapture: Hashable, Sendable {
    /// As the camera wrote it; without an offset it is local time.
    package var capturedAt: CaptureTime?
    /// The tag that has the time; nil where there is none.
    package var capturedAtTag: CaptureTag?
    package var coordinate: Coordinate?

    package init(
        capturedAt: CaptureTime? = nil, capturedAtTag: CaptureTag? = nil, coordinate: Coordinate? = nil
    ) {
        self.capturedAt = capturedAt
        self.capturedAtTag = capturedAt == nil ? nil : capturedAtTag ?? .original
        self.coordinate = coordinate
    }

    /// Whether neither is known.
    package var isEmpty: Bool { capturedAt == nil && coordinate == nil }
}

/// The Exif tags that may have the time of a capture, the most reliable one first.
package enum CaptureTag: String, Vocabulary {
    case original = "DateTimeOriginal"
    /// When it became a file, which for a digital camera is the same.
    case digitized = "DateTimeDigitized"
    /// The last change, by any program.
    case changed = "DateTime"
}

/// A time by a camera's clock: "2026-05-01T10:20:30", with an offset where the camera wrote one.
package struct CaptureTime: StoredCode {
    package let text: String
    package static let form = "must be a time such as 2026-05-01T10:20:30, with or without an offset"

    package static func hasForm(_ text: String) -> Bool {
        guard text.utf8.count >= 19 else { return false }
        return (try? Instant(hasOffset(text) ? text : text + "Z")) != nil
    }

    private static func hasOffset(_ text: String) -> Bool {
        text.hasSuffix("Z") || text.dropFirst(19).contains { $0 == "+" || $0 == "-" }
    }

    /// The moment; nil without an offset.
    package var instant: Instant? { Self.hasOffset(text) ? try? Instant(text) : nil }

    /// The moment, if the clock showed UTC; within 14 hours of the true one.
    package var instantInUTC: Instant? { try? Instant(Self.hasOffset(text) ? text : text + "Z") }
}
