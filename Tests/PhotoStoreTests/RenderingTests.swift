import Foundation
import TestSupport
import Testing

@testable import PhotoStore

@Suite(.enabled(if: TestData.isPresent, "\(TestData.absence)"))
struct RenderingTests {
    private func render(_ name: String, _ limits: RenderLimits = PhotoFiles.limits) async throws -> RenderedPhoto {
        try await PhotoFiles.withFolder {
            try await PhotoFiles.renderer(limits).render(PhotoFiles.path(name), into: $0)
        }
    }

    @Test func `a photo is read and rendered in three sizes`() async throws {
        try await PhotoFiles.withFolder { folder in
            let photo = try await PhotoFiles.renderer().render(PhotoFiles.path("gps/DSCN0010.jpg"), into: folder)
            #expect(photo.mediaType == "image/jpeg" && photo.width == 640 && photo.height == 480)
            #expect(photo.capturedAt == "2008-10-22T16:28:39")
            #expect(abs((photo.latitude ?? 0) - 43.46745) < 0.0001 && abs((photo.longitude ?? 0) - 11.88513) < 0.0001)
            #expect(photo.renditions.map(\.name) == ["thumb", "medium", "large"])
            #expect(photo.renditions.map(\.width) == [320, 640, 640], "never enlarged")
            for rendition in photo.renditions {
                let bytes = try Data(contentsOf: URL(filePath: rendition.path))
                #expect(bytes.count == rendition.bytes)
                #expect(PhotoFiles.digest(Array(bytes)).description == rendition.sha256)
                for trace in ["Exif", "http://ns.adobe.com", "NIKON", "Photoshop"] {
                    #expect(bytes.range(of: Data(trace.utf8)) == nil, "\(rendition.name), \(trace)")
                }
            }
        }
    }

    /// Such as a full disk: the photo may be sent again.
    @Test func `a folder that cannot be written, or a file that is gone, is not the fault of the photo`() async throws {
        let photo = PhotoFiles.path("gps/DSCN0010.jpg")
        try await PhotoFiles.withFolder { folder in
            for (original, folder) in [(photo, folder + "/none"), (folder + "/none", folder)] {
                await #expect {
                    _ = try await PhotoFiles.renderer().render(original, into: folder)
                } throws: { error in
                    guard case .failed = error as? RenderError else { return false }
                    return true
                }
            }
        }
    }

    @Test(arguments: [
        "broken.png", "truncated_image.png", "broken_data_stream.png",
    ])
    func `truncated and damaged files are rejected`(_ name: String) async throws {
        await #expect {
            try await render("robustness/\(name)")
        } throws: { error in
            guard case .broken = error as? RenderError else { return false }
            return true
        }
    }

    @Test(arguments: ["decompression_bomb.gif", "decompression_bomb.ico", "decompression_bomb_extents.gif", "LICENSE"])
    func `only four formats are read`(_ name: String) async throws {
        await #expect(throws: RenderError.unsupportedType) { try await render("robustness/\(name)") }
    }

    @Test(arguments: [
        "exif_gps_typeerror.jpg", "empty_gps_ifd.jpg", "multiple_exif.jpg", "invalid-exif.jpg", "broken_exif_dpi.jpg",
        "pil_sample_cmyk.jpg", "flower.webp", "hopper.webp", "exif.png", "xmp_tags_orientation.png",
        // All pixels are there; only the end marker is missing.
        "truncated_end_chunk.png",
    ])
    func `odd metadata is no reason to reject a photo`(_ name: String) async throws {
        let photo = try await render("robustness/\(name)")
        #expect(photo.renditions.count == 3)
    }

    @Test func `photos come out upright`() async throws {
        for shape in ["landscape", "portrait"] {
            let upright = try await thumb("orientation/\(shape)_1.jpg")
            for orientation in 2...8 {
                let name = "orientation/\(shape)_\(orientation).jpg"
                guard FileManager.default.fileExists(atPath: PhotoFiles.path(name)) else { continue }
                let turned = try await thumb(name)
                #expect(turned.size == upright.size, "\(name)")
                #expect(turned.pixels.isUpright(as: upright.pixels), "\(name)")
            }
        }
    }

    /// The size of a photo, and its smallest rendition.
    private func thumb(_ name: String) async throws -> (size: [Int], pixels: ImagePixels) {
        try await PhotoFiles.withFolder { folder in
            let photo = try await PhotoFiles.renderer().render(PhotoFiles.path(name), into: folder)
            return ([photo.width, photo.height], try ImagePixels(folder + "/thumb.jpg"))
        }
    }

    @Test(arguments: ["gps/DSCN0010.jpg", "robustness/pil_sample_cmyk.jpg", "birds/crow.png"])
    func `a WebP shows what its JPEG shows, in fewer bytes`(_ name: String) async throws {
        try await PhotoFiles.withFolder { folder in
            let photo = try await PhotoFiles.renderer().render(PhotoFiles.path(name), into: folder)
            let jpeg = try #require(photo.renditions.first { $0.name == "medium" })
            let webP = try await PhotoFiles.renderer().webP(of: jpeg.path, into: folder)
            let bytes = Array(try Data(contentsOf: URL(filePath: webP.path)))
            #expect(ImageSignature.mediaType(bytes) == "image/webp" && webP.bytes == bytes.count)
            #expect(PhotoFiles.digest(bytes).description == webP.sha256)
            #expect(webP.width == jpeg.width && webP.height == jpeg.height && webP.bytes < jpeg.bytes)
            let apart = try ImagePixels(webP.path).difference(from: try ImagePixels(jpeg.path))
            #expect(apart < 2, "\(apart) of 255")
        }
    }

    @Test func `a guarded photo has a fixed size and shape, and shows the middle of the photo`() async throws {
        try await PhotoFiles.withFolder { folder in
            let photo = try await PhotoFiles.renderer().render(PhotoFiles.path("gps/DSCN0010.jpg"), into: folder)
            let large = try #require(photo.renditions.first { $0.name == "large" })
            for name in ["large", "medium", "thumb"] {
                let guarded = try await PhotoFiles.renderer().guarded(large.path, name, into: folder)
                #expect(guarded.width == 320 && guarded.height == 240, "\(name): 640 pixels reach 320")
                let apart = try ImagePixels(guarded.path).difference(from: try ImagePixels(large.path))
                #expect(apart < 3, "\(apart) of 255")
            }
        }
    }

    @Test(arguments: [
        (1920, 1080, 1600, [1600, 1066], [150, 0, 1620, 1080]), (4000, 3000, 1600, [1600, 1200], [0, 0, 4000, 3000]),
        (1080, 1920, 800, [533, 800], [0, 150, 1080, 1620]), (1000, 1010, 1600, [800, 800], [0, 5, 1000, 1000]),
        (3000, 10, 1600, [320, 213], [1492, 0, 15, 10]), (1, 1, 320, [320, 320], [0, 0, 1, 1]),
        (1, 9, 1600, [213, 320], [0, 4, 1, 1]),
    ])
    func `frames`(width: Int, height: Int, most: Int, size: [Int], cut: [Int]) {
        let frame = GuardedFrame(width: width, height: height, atMost: most)
        let found = (size: [frame.width, frame.height], cut: [frame.left, frame.top, frame.cutWidth, frame.cutHeight])
        #expect(found.size == size && found.cut == cut)
    }

    @Test func `a damaged rendition makes no WebP`() async throws {
        await #expect {
            try await PhotoFiles.withFolder {
                try await PhotoFiles.renderer().webP(of: PhotoFiles.path("robustness/truncated_jpeg.jpg"), into: $0)
            }
        } throws: { error in
            guard case .broken = error as? RenderError else { return false }
            return true
        }
    }

    @Test func `a child process ends at its limits`() async throws {
        var few = PhotoFiles.limits
        few.pixels = 100_000
        await #expect(throws: RenderError.tooManyPixels) { try await render("gps/DSCN0010.jpg", few) }
        var short = PhotoFiles.limits
        short.seconds = 0
        await #expect(throws: RenderError.tooSlow) { try await render("gps/DSCN0010.jpg", short) }
        var small = PhotoFiles.limits
        small.memory = 300 << 20
        await #expect(throws: RenderError.limitExceeded) { try await render("gps/DSCN0010.jpg", small) }
        var slow = PhotoFiles.limits
        slow.cpuSeconds = 0
        await #expect(throws: RenderError.limitExceeded) { try await render("gps/DSCN0010.jpg", slow) }
    }

    @Test func `HEIC is turned by its own means, not by Exif`() async throws {
        try await PhotoFiles.withFolder { folder in
            let file = folder + "/6.heic"
            let converter = Process()
            converter.executableURL = URL(filePath: "/usr/bin/heif-enc")
            converter.arguments = ["-q", "80", PhotoFiles.path("orientation/landscape_6.jpg"), "-o", file]
            try converter.run()
            await converter.ended()
            let photo = try await PhotoFiles.renderer().render(file, into: folder)
            #expect(photo.mediaType == "image/heic" && photo.width == 450 && photo.height == 600)
        }
    }
}

/// Photos as some cameras and programs write them: pictures of nothing, made for these tests.
struct OddPhotoTests {
    private func render(_ name: String) async throws -> RenderedPhoto {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/\(name)").path
        return try await PhotoFiles.withFolder { try await PhotoFiles.renderer().render(file, into: $0) }
    }

    private func isNear(_ photo: RenderedPhoto, _ latitude: Double, _ longitude: Double) -> Bool {
        abs((photo.latitude ?? 0) - latitude) < 0.0001 && abs((photo.longitude ?? 0) - longitude) < 0.0001
    }

    @Test func `a place has its sides in small letters`() async throws {
        let photo = try await render("gps-small-letters.jpg")
        #expect(isNear(photo, 47.5678, -121.8881) && photo.capturedAtTag == "DateTimeOriginal")
    }

    @Test func `a time is that of digitisation where there is no other`() async throws {
        let photo = try await render("only-digitized.jpg")
        #expect(photo.capturedAt == "2026-05-01T07:31:05" && photo.capturedAtTag == "DateTimeDigitized")
    }

    @Test func `a JPEG that lacks only its end marker is whole`() async throws {
        let photo = try await render("no-end-marker.jpg")
        #expect([photo.width, photo.height] == [320, 240] && isNear(photo, 47.5678, -121.8881))
    }

    /// Its own rotation and its Exif orientation are the same turn by 90°.
    @Test func `a HEIC is turned once`() async throws {
        let photo = try await render("upright.heic")
        #expect([photo.width, photo.height] == [240, 320] && isNear(photo, 47.5678, -121.8881))
        #expect(photo.renditions.map(\.width) == [240, 240, 240])
    }
}

struct ImageSignatureTests {
    @Test func `formats are known by their first bytes`() {
        func type(_ head: String) -> String? { ImageSignature.mediaType(Array(head.utf8)) }
        #expect(ImageSignature.mediaType([0xFF, 0xD8, 0xFF, 0xE0]) == "image/jpeg")
        #expect(type("RIFF1234WEBPVP8 ") == "image/webp")
        #expect(type("GIF89a") == nil && type("") == nil)
    }

    @Test func `HEIC is known by the brands of its first box`() {
        func type(_ brands: String, size: Int? = nil) -> String? {
            let box = [0, 0, 0, UInt8(size ?? brands.utf8.count + 8)]
            return ImageSignature.mediaType(box + Array("ftyp\(brands)".utf8) + Array("avif".utf8))
        }
        #expect(type("heic0000mif1heic") == "image/heic" && type("mif10000heic") == "image/heic")
        #expect(type("avif0000mif1avif") == nil && type("mif10000miafMA1Bmiafmiafmiafavif") == nil)
        #expect(type("mp42heic") == nil, "a minor version is no brand")
        #expect(type("heic", size: 3) == nil && type("heic", size: 200) == nil, "sizes that make no sense")
    }
}

struct CaptureMetadataTests {
    private func metadata(_ fields: [String: String]) -> CaptureMetadata {
        CaptureMetadata { fields[$0] }
    }

    @Test func `time and place are read tolerantly`() {
        let all = metadata([
            "exif-ifd2-DateTimeOriginal": "2019:05:01 10:20:30 (2019:05:01 10:20:30, ASCII, 20 components, 20 bytes)",
            "exif-ifd2-OffsetTimeOriginal": "+02:00 (+02:00, ASCII, 7 components, 7 bytes)",
            "exif-ifd3-GPSLatitude": "43/1 30/1 0/1 (43, 30, 0, Rational, 3 components, 24 bytes)",
            "exif-ifd3-GPSLatitudeRef": "S (S, ASCII, 2 components, 2 bytes)",
            "exif-ifd3-GPSLongitude": "11/1 0/1 3600/100 (11, 0, 36, Rational, 3 components, 24 bytes)",
            "exif-ifd3-GPSLongitudeRef": "E (E, ASCII, 2 components, 2 bytes)",
        ])
        #expect(all.capturedAt == "2019-05-01T10:20:30+02:00" && all.capturedAtTag == "DateTimeOriginal")
        #expect(all.latitude == -43.5 && all.longitude == 11.01)
    }

    @Test func `the best tag that has a time counts, with its own offset`() {
        let changed = [
            "exif-ifd0-DateTime": "2021:01:01 00:00:00", "exif-ifd2-OffsetTime": "+01:00",
            "exif-ifd2-OffsetTimeOriginal": "+09:00",
        ]
        let digitized = ["exif-ifd2-DateTimeDigitized": "2020:01:01 00:00:00"]
        let original = ["exif-ifd2-DateTimeOriginal": "2019:01:01 00:00:00"]
        let broken = ["exif-ifd2-DateTimeOriginal": "0000:00:00 00:00:00"]
        for (fields, time, tag) in [
            (changed, "2021-01-01T00:00:00+01:00", "DateTime"),
            (changed.merging(digitized) { $1 }, "2020-01-01T00:00:00", "DateTimeDigitized"),
            (changed.merging(digitized) { $1 }.merging(broken) { $1 }, "2020-01-01T00:00:00", "DateTimeDigitized"),
            (changed.merging(original) { $1 }, "2019-01-01T00:00:00+09:00", "DateTimeOriginal"),
        ] {
            let found = metadata(fields)
            #expect(found.capturedAt == time && found.capturedAtTag == tag)
        }
        #expect(metadata(broken).capturedAtTag == nil)
    }

    @Test(arguments: [
        ("47/1 34/1 404/100", "n", 47.567789), ("47/1 340673/10000 0/1", "N", 47.567788),
        ("47/1 340673/10000", "S", -47.567788), ("475678/10000", "s", -47.5678),
        ("475678/10000 0/1 0/1", "South", -47.5678), ("47/1 340673/10000 0/0", "N", 47.567788),
        ("47/1 0/0 0/0", "N", 47), ("47/1 59/1 60/1", "N", 48),
    ])
    func `degrees are read as cameras write them`(text: String, side: String, degrees: Double) throws {
        #expect(abs(try #require(CaptureMetadata.degrees(text, side, "N", "S")) - degrees) < 0.000_001)
    }

    @Test(arguments: [
        "", " ", "/", "//", "47", "47/", "/1", "0/0", "1/0 0/1 0/1", "0/0 34/1 0/1", "47/1 34/0 0/1", "47/1 3406/1 0/1",
        "47/1 34/1 404/1", "-47/1 34/1 0/1", "47/1 34/1 4/1 1/1", "nan/1 0/1 0/1", "inf/1", "1/nan", "47/1 x/1 0/1",
        "99999999999999999999999999/1e-400", "47.5", "47/1/1 0/1",
    ])
    func `odd degrees are none`(_ text: String) {
        #expect(CaptureMetadata.degrees(text, "N", "N", "S") == nil)
    }

    @Test func `nonsense is left out`() {
        #expect(CaptureMetadata.time("0000:00:00 00:00:00") == nil && CaptureMetadata.time("    ") == nil)
        #expect(CaptureMetadata.time("2019:02:29 10:20:30") == nil)
        #expect(CaptureMetadata.time("2020:02:29 10:20:30") == "2020-02-29T10:20:30")
        #expect(CaptureMetadata.offset("+25:00") == nil && CaptureMetadata.offset("02:00") == nil)
        for side in ["X", "", "ß"] {
            #expect(CaptureMetadata.degrees("1/1 0/1 0/1", side, "N", "S") == nil)
        }
        #expect(CaptureMetadata.degrees("1/1 0/1 0/1", nil, "N", "S") == nil)
        let nowhere = metadata([
            "exif-ifd3-GPSLatitude": "0/1 0/1 0/1", "exif-ifd3-GPSLatitudeRef": "N",
            "exif-ifd3-GPSLongitude": "0/1 0/1 0/1", "exif-ifd3-GPSLongitudeRef": "E",
        ])
        #expect(nowhere.latitude == nil)
    }
}
