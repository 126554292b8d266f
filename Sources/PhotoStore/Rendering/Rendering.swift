import CVips
import Crypto
import Foundation

/// Renders a photo in this process: the work of `skein render`, in a process of its own, because image decoders have
/// had many vulnerabilities and read untrusted bytes.
package enum Rendering {
    /// The exit statuses by which the child process reports a failure.
    package enum Failure: Int32, Error {
        case broken = 65
        case unsupportedType = 66
        case tooManyPixels = 67
        /// Memory or threads ran out.
        case limitExceeded = 68
        case tooManyParts = 69
        case internalError = 70
    }

    /// The pixels that a side may have: as many as libvips reads of a JPEG.
    static let longestSide = 65_500

    /// Limits this process permanently.
    /// - Throws: ``Failure/internalError`` where the system rejects a limit.
    package static func limit(_ limits: RenderLimits) throws(Failure) {
        let wanted: [(__rlimit_resource_t, Int)] = [
            (__rlimit_resource_t(RLIMIT_AS.rawValue), limits.memory),
            (__rlimit_resource_t(RLIMIT_CPU.rawValue), limits.cpuSeconds),
            (__rlimit_resource_t(RLIMIT_NOFILE.rawValue), limits.openFiles),
            (__rlimit_resource_t(RLIMIT_CORE.rawValue), 0),
        ]
        for (resource, value) in wanted {
            var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
            guard setrlimit(resource, &limit) == 0 else { throw .internalError }
        }
    }

    /// Renders a file.
    /// - Parameters:
    ///   - original: read only.
    ///   - folder: receives the renditions.
    ///   - pixels: the most that the original may have.
    /// - Throws: ``Failure``.
    package static func render(_ original: String, into folder: String, pixels: Int) throws -> RenderedPhoto {
        guard let file = FileHandle(forReadingAtPath: original) else { throw Failure.internalError }
        let head = (try? file.read(upToCount: ImageSignature.length)) ?? Data()
        guard let mediaType = ImageSignature.mediaType(Array(head)) else { throw Failure.unsupportedType }
        guard cvips_start() == 0 else { throw Failure.internalError }
        let source = try PreparedImage(original, mediaType, in: folder)
        defer { source.remove() }
        let header = try Picture(cvips_open(source.path))
        let isTurned = header.orientation >= 5
        let (width, height) = isTurned ? (header.height, header.width) : (header.width, header.height)
        guard width > 0, height > 0 else { throw Failure.broken }
        guard width <= pixels / height, max(width, height) <= longestSide else { throw Failure.tooManyPixels }
        let capture = CaptureMetadata(header.field)

        var renditions: [RenderedPhoto.Rendition] = []
        var picture: Picture?
        for (name, size) in RenderedPhoto.sizes {
            let next =
                try picture.map { try Picture(cvips_shrink($0.image, Int32(size))) }
                ?? Picture(cvips_shrink_file(source.path, Int32(size)))
            guard !source.hasAddedEnd || cvips_has_lost_data() == 0 else { throw Failure.broken }
            renditions.append(try next.save(name, to: "\(folder)/\(name).jpg", { cvips_write_jpeg($0, $1) }))
            picture = next
        }
        guard let picture else { throw Failure.internalError }
        return RenderedPhoto(
            mediaType: mediaType, width: width, height: height, capturedAt: capture.capturedAt,
            capturedAtTag: capture.capturedAtTag, latitude: capture.latitude, longitude: capture.longitude,
            perceptualHash: PerceptualHash.hash(
                try picture.brightness(PerceptualHash.width, PerceptualHash.height)),
            likeness: Likeness(of: try GreyPicture(picture)), renditions: renditions.reversed())
    }

    /// Makes a WebP of a rendition. Uploads go first: this process yields to all others from now on.
    /// - Parameter folder: receives `webp.webp`.
    /// - Throws: ``Failure``.
    package static func webP(of rendition: String, into folder: String) throws -> RenderedPhoto.Rendition {
        _ = nice(19)
        guard cvips_start() == 0 else { throw Failure.internalError }
        return try Picture(cvips_read(rendition)).save("webp", to: folder + "/webp.webp", { cvips_write_webp($0, $1) })
    }

    /// Makes the rendition of a guarded photo.
    /// - Parameters:
    ///   - large: its large rendition.
    ///   - name: of one of ``GuardedFrame/sizes``.
    ///   - folder: receives it.
    /// - Throws: ``Failure``.
    package static func guarded(
        _ large: String, _ name: String, into folder: String
    ) throws -> RenderedPhoto.Rendition {
        guard let size = GuardedFrame.sizes[name] else { throw Failure.internalError }
        guard cvips_start() == 0 else { throw Failure.internalError }
        let picture = try Picture(cvips_read(large))
        let frame = GuardedFrame(width: picture.width, height: picture.height, atMost: size)
        let cut = try Picture(
            cvips_cut(
                picture.image, Int32(frame.left), Int32(frame.top), Int32(frame.cutWidth), Int32(frame.cutHeight),
                Int32(frame.width), Int32(frame.height)))
        return try cut.save(name, to: "\(folder)/guarded.jpg", { cvips_write_jpeg($0, $1) })
    }
}

/// An image of libvips, closed when nothing refers to it any longer.
private final class Picture {
    let image: OpaquePointer

    init(_ image: OpaquePointer?) throws {
        guard let image else { throw Self.failure(.broken) }
        self.image = image
    }

    /// The failure. Writes libvips' reason to standard error; only its words reveal that a decoder ran out of memory or
    /// threads.
    private static func failure(_ failure: Rendering.Failure) -> Rendering.Failure {
        let reason = String(cString: cvips_error())
        FileHandle.standardError.write(Data(reason.utf8))
        let isExhausted = ["memory", "creating thread"].contains { reason.lowercased().contains($0) }
        return isExhausted ? .limitExceeded : failure
    }

    deinit { cvips_close(image) }

    var width: Int { Int(cvips_width(image)) }
    var height: Int { Int(cvips_height(image)) }
    var orientation: Int { Int(cvips_orientation(image)) }

    func field(_ name: String) -> String? {
        guard let text = cvips_field(image, name) else { return nil }
        defer { cvips_free_text(text) }
        return String(validatingCString: text)
    }

    func save(
        _ name: String, to path: String, _ write: (OpaquePointer, String) -> Int32
    ) throws -> RenderedPhoto.Rendition {
        // The image is decoded: only the writing can fail, on a full disk say.
        guard write(image, path) == 0 else { throw Self.failure(.internalError) }
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        return RenderedPhoto.Rendition(
            name: name, path: path, sha256: SHA256Sum(SHA256.hash(data: bytes)).description, width: width,
            height: height, bytes: bytes.count)
    }

    /// Squeezed into a size.
    func brightness(_ width: Int, _ height: Int) throws -> [UInt8] {
        var brightness = [UInt8](repeating: 0, count: width * height)
        guard cvips_brightness(image, Int32(width), Int32(height), &brightness) == 0 else {
            throw Self.failure(.internalError)
        }
        return brightness
    }
}

extension GreyPicture {
    fileprivate init(_ picture: Picture) throws {
        self.init(
            brightness: try picture.brightness(Self.side, Self.side),
            aspect: Double(picture.width) / Double(picture.height))
    }
}
