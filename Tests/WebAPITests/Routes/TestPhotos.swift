import Foundation
import NIOCore
import PhotoStore
import Service
import TestSupport
import Vault

/// Photos of tests: kept in a temporary folder, rendered by the `skein` that was built beside the tests.
enum TestPhotos {
    /// The bytes of `TestPhoto`.
    static let jpeg = ByteBuffer(bytes: TestPhoto.jpeg)

    /// One that claims to be 24 times 2400 pixels: what is missing is grey, and its large rendition is 2048 high.
    static let tall: ByteBuffer = {
        var bytes = Array(jpeg.readableBytesView)
        // In the frame header, after its marker, length and precision.
        let frame = bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 } ?? 0
        bytes.replaceSubrange(frame + 5..<frame + 7, with: [UInt8(2400 >> 8), UInt8(2400 & 0xFF)])
        return ByteBuffer(bytes: bytes)
    }()

    static func settings(_ quota: PhotoQuotas.Limits = PhotoQuotas.Limits()) throws -> PhotoSettings {
        let folder = FileManager.default.temporaryDirectory.appending(path: "skein-photos-\(UUID())").path
        let skein = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "skein").path
        let spool = PhotoSpool(folder: folder + "/uploads")
        try spool.prepare()
        return PhotoSettings(
            store: FolderPhotoStore(folder: folder + "/photos"), renderer: PhotoRenderer(executable: skein),
            spool: spool, webPs: WebPCache.Settings(folder: folder + "/webp"), quota: quota)
    }
}
