/// An original as the child process read it, and the renditions that it made.
package struct RenderedPhoto: Codable, Hashable, Sendable {
    /// A rendition: a JPEG, or a WebP made of one, in sRGB without metadata.
    package struct Rendition: Codable, Hashable, Sendable {
        /// `thumb`, `medium` or `large`.
        package var name: String
        /// The file.
        package var path: String
        /// The SHA-256 of its bytes, in hexadecimal digits.
        package var sha256: String
        /// Pixels.
        package var width: Int
        package var height: Int
        package var bytes: Int

        package init(name: String, path: String, sha256: String, width: Int, height: Int, bytes: Int) {
            (self.name, self.path, self.sha256) = (name, path, sha256)
            (self.width, self.height, self.bytes) = (width, height, bytes)
        }
    }

    /// `image/jpeg`, `image/png`, `image/webp` or `image/heic`.
    package var mediaType: String
    /// Pixels, upright.
    package var width: Int
    package var height: Int
    /// When it was taken, by the camera's clock: "2019-05-01T10:20:30", with an offset where the camera wrote one.
    package var capturedAt: String?
    /// The Exif tag that has it: `DateTimeOriginal`, `DateTimeDigitized` or `DateTime`.
    package var capturedAtTag: String?
    /// Degrees.
    package var latitude: Double?
    package var longitude: Double?
    /// See ``PerceptualHash``: 16 hexadecimal digits.
    package var perceptualHash: String
    package var likeness: Likeness
    package var renditions: [Rendition]

    /// The names of the renditions and their longer sides, in pixels; the largest first.
    package static let sizes = [("large", 2048), ("medium", 800), ("thumb", 320)]
}

/// The hashes by which photos that are alike find each other: see ``PictureFrames``.
package struct Likeness: Codable, Hashable, Sendable {
    /// The hashes by which later photos find this one: 64 hexadecimal digits each.
    package var stored: [String]
    /// The parts of this photo by which it finds earlier ones.
    package var sought: [Part]

    /// A part of a photo.
    package struct Part: Codable, Hashable, Sendable {
        /// 64 hexadecimal digits.
        package var hash: String
        /// Those of the first ``Likeness/keyLength`` bits, as a number with as many, that may well be others in a copy.
        package var weak: Int
    }

    /// The number of bits at the beginning of hashes by which these are looked up.
    package static let keyLength = LikenessHash.keyLength
    /// The most of them that are weak.
    package static let weakBits = LikenessHash.weakBits
    /// The most bits in which hashes of photos that are alike differ. Measured by `LikenessTests`: those of altered
    /// copies differ in up to 50, those of other photos in 81 or more.
    package static let limit = 64

    init(of picture: GreyPicture) {
        stored = PictureFrames.stored(picture).map(\.text)
        sought = PictureFrames.sought(picture).map { Part(hash: $0.text, weak: $0.weak) }
    }
}

/// Why a photo could not be rendered.
package enum RenderError: Error, Hashable, Sendable {
    /// Neither JPEG, PNG, WebP nor HEIC.
    case unsupportedType
    /// Truncated or damaged; the reason is for the log.
    case broken(String)
    /// Or too long a side.
    case tooManyPixels
    /// More scans, segments, frames or tiles than a photo needs.
    case tooManyParts
    /// The child process ran out of memory or CPU time.
    case limitExceeded
    /// The child process was not done in time, although it had CPU time left: the machine is overloaded.
    case tooSlow
    /// The child process failed, or its output was invalid.
    case failed(String)
}

/// The limits of one child process.
package struct RenderLimits: Hashable, Sendable {
    /// Address space, in bytes.
    package var memory = 2 << 30
    /// Seconds of CPU time.
    package var cpuSeconds = 10
    package var openFiles = 64
    /// Seconds until it is killed.
    package var seconds = 30
    /// The most pixels that an original may have.
    package var pixels = 100_000_000

    package init() {}
}
