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

    /// The same picture in other bytes each time: with a comment of its own.
    static func another() -> ByteBuffer {
        let comment = Array(UUID().uuidString.utf8)
        let bytes = Array(jpeg.readableBytesView)
        let segment = [0xFF, 0xFE, 0, UInt8(comment.count + 2)] + comment
        return ByteBuffer(bytes: bytes.prefix(2) + segment + bytes.dropFirst(2))
    }

    /// One that claims to be 24 times 2400 pixels: what is missing is grey, and its large rendition is 2048 high.
    static let tall = high(2400)

    /// One that claims to be 24 pixels wide and so many high.
    static func high(_ height: Int) -> ByteBuffer {
        var bytes = Array(jpeg.readableBytesView)
        // In the frame header, after its marker, length and precision.
        let frame = bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 } ?? 0
        bytes.replaceSubrange(frame + 5..<frame + 7, with: [UInt8(height >> 8), UInt8(height & 0xFF)])
        return ByteBuffer(bytes: bytes)
    }

    /// The mirror image of ``jpeg``, by an EXIF orientation of 2.
    static let mirrored: ByteBuffer = {
        let tag: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 2, 0, 0]
        let tiff = Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1] + tag + [0, 0, 0, 0]
        let exif = Array("Exif".utf8) + [0, 0] + tiff
        var bytes = Array(jpeg.readableBytesView)
        bytes.insert(contentsOf: [0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif, at: 2)
        return ByteBuffer(bytes: bytes)
    }()

    /// - Parameter free: looks up the free bytes of the disk, of which 1,000 must stay free; nil for a disk without
    ///   reserve.
    static func settings(
        _ quota: PhotoQuotas.Limits = PhotoQuotas.Limits(), free: (@Sendable () -> Int)? = nil
    ) throws -> PhotoSettings {
        let folder = SharedFolders.path("photos")
        let skein = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "skein").path
        let disk = free.map { free in DiskSpace(of: [folder], reserve: 1000) { _ in free() } }
        let spool = PhotoSpool(folder: folder + "/uploads", disk: disk)
        try spool.prepare()
        var limits = RenderLimits()
        limits.seconds = Int(Hang.deadline.components.seconds)
        return PhotoSettings(
            store: FolderPhotoStore(folder: folder + "/photos"),
            renderer: PhotoRenderer(executable: skein, limits: limits), spool: spool,
            webPs: ConversionCache.Settings(folder: folder + "/webp"), guarded: folder + "/guarded", quota: quota)
    }
}
