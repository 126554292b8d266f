import Foundation
import TestSupport
import Testing

@testable import PhotoStore

/// Images of few bytes that take long to decode.
struct DecodingCostTests {
    private func render(_ bytes: [UInt8]) async throws -> RenderedPhoto {
        try await PhotoFiles.withFolder { folder in
            let file = folder + "/original"
            try Data(bytes).write(to: URL(filePath: file))
            return try await PhotoFiles.renderer().render(file, into: folder)
        }
    }

    @Test func `a JPEG of more than 100 scans is rejected before it is decoded`() async throws {
        #expect(try await render(MadeImage.jpeg(side: 64, scans: 100)).width == 64)
        for bytes in [MadeImage.jpeg(side: 64, scans: 101), MadeImage.jpeg(side: 640, scans: 704)] {
            await #expect(throws: RenderError.tooManyParts) { try await render(bytes) }
        }
    }

    /// A decoder goes on behind it, whatever would be the length of a segment.
    @Test(arguments: [0x02, 0xBF] as [UInt8])
    func `scans behind a marker that means nothing are counted`(marker: UInt8) throws {
        var jpeg = MadeImage.jpeg(side: 16, scans: 101)
        let starts = jpeg.indices.dropLast().filter { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xDA }
        jpeg.insert(contentsOf: [0xFF, marker, 0xFE, 0xFE], at: try #require(starts.dropFirst().first))
        #expect(JPEGMarkers(Data(jpeg)).areTooMany)
    }

    @Test(.enabled(if: TestData.isPresent, "\(TestData.absence)"))
    func `a JPEG of more than 1,000 segments is rejected before it is decoded`() async throws {
        let photo = Array(try Data(contentsOf: URL(filePath: PhotoFiles.path("orientation/landscape_1.jpg"))))
        #expect(try await render(MadeImage.adding(900, to: photo)).width == 600)
        for count in [1000, 100_000] {
            await #expect(throws: RenderError.tooManyParts) { try await render(MadeImage.adding(count, to: photo)) }
        }
    }

    @Test func `a WebP of more than 1,000 frames is rejected before it is decoded`() async throws {
        #expect(try await render(MadeImage.webP(frames: 1000)).mediaType == "image/webp")
        for count in [1001, 10_000] {
            await #expect(throws: RenderError.tooManyParts) { try await render(MadeImage.webP(frames: count)) }
        }
    }

    @Test(arguments: [(600, 400, true), (1001, 0, false), (600, 401, false), (0, 1001, false)])
    func `a HEIC of more than 1,000 items and references is rejected`(
        items: Int, references: Int, isAccepted: Bool
    ) async throws {
        for isWide in [false, true] {
            let bytes = MadeImage.heic(items: items, references: references, isWide: isWide)
            #expect(ImageParts(Data(bytes), "image/heic").areTooMany == !isAccepted)
            if !isAccepted {
                await #expect(throws: RenderError.tooManyParts) { try await render(bytes) }
            }
        }
    }

    @Test func `a side of more than 65,500 pixels is rejected`() async throws {
        #expect(try await render(TestPNG.grey(65_500, 2)).height == 2)
        await #expect(throws: RenderError.tooManyPixels) { try await render(TestPNG.grey(65_501, 2)) }
        await #expect(throws: RenderError.tooManyPixels) { try await render(TestPNG.grey(2, 65_501)) }
    }

    /// Each is one line of libvips' log.
    @Test func `a hundred thousand warnings are no failure`() async throws {
        let wrong = TestPNG.chunk("tIME", [UInt8](repeating: 0xFF, count: 7))
        let png = TestPNG.grey(16, 16, before: (0..<100_000).flatMap { _ in wrong })
        #expect(try await render(png).width == 16)
    }

    @Test func `photos that are cut or altered anywhere can be counted`() throws {
        let images = [
            (MadeImage.jpeg(side: 16, scans: 12), "image/jpeg"), (MadeImage.webP(frames: 3), "image/webp"),
            (MadeImage.heic(items: 5, references: 5), "image/heic"),
            (MadeImage.heic(items: 5, references: 5, isWide: true), "image/heic"),
        ]
        for (bytes, type) in images {
            for index in bytes.indices {
                _ = ImageParts(Data(bytes[..<index]), type).areTooMany
                for value: UInt8 in [0, 1, 0xFF] {
                    var altered = bytes
                    altered[index] = value
                    _ = ImageParts(Data(altered), type).areTooMany
                }
            }
        }
        let large = MadeImage.number(1, 4) + Array("meta".utf8) + [UInt8](repeating: 0xFF, count: 8)
        #expect(!ImageParts(Data(large), "image/heic").areTooMany)
    }
}

/// JPEGs whose end is missing.
@Suite(.enabled(if: TestData.isPresent, "\(TestData.absence)"))
struct MissingEndTests {
    private func photo(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: PhotoFiles.path(name))))
    }

    /// The digest of the thumbnail; nil for a photo that is rejected.
    private func thumb(_ bytes: [UInt8]) async throws -> String? {
        try await PhotoFiles.withFolder { folder in
            let file = folder + "/original"
            try Data(bytes).write(to: URL(filePath: file))
            do {
                return try await PhotoFiles.renderer().render(file, into: folder).renditions.first?.sha256
            } catch RenderError.broken {
                return nil
            }
        }
    }

    @Test(arguments: ["orientation/landscape_1.jpg", "gps/DSCN0010.jpg", "robustness/pil_sample_cmyk.jpg"])
    func `only the end marker may be missing`(_ name: String) async throws {
        let whole = try photo(name)
        let shown = try #require(try await thumb(whole))
        for missing in [1, 2] { #expect(try await thumb(whole.dropLast(missing)) == shown) }
        for missing in [3, 4, 5, 10, 100, whole.count / 2] {
            #expect(try await thumb(whole.dropLast(missing)) == nil, "\(missing) bytes are missing")
        }
    }

    @Test func `of a progressive JPEG no scan may be missing`() async throws {
        // Its last byte is the first half of the end marker.
        let real = try photo("robustness/truncated_jpeg.jpg")
        #expect(try await thumb(real) != nil)
        #expect(try await thumb(real.dropLast()) != nil)
        #expect(try await thumb(real.dropLast(2)) == nil)
        let made = MadeImage.jpeg(side: 64, scans: 2)
        #expect(try await thumb(made) != nil)
        #expect(try await thumb(made.dropLast(2)) != nil)
        #expect(try await thumb(made.dropLast(2 + 8)) == nil, "half of the scan is missing")
        #expect(try await thumb(MadeImage.jpeg(side: 64, scans: 1).dropLast(2)) == nil, "the scan is missing")
    }

    @Test func `a coding whose decoder does not notice missing data needs the end`() throws {
        var bytes = MadeImage.jpeg(side: 64, scans: 2)
        #expect(JPEGMarkers(Data(bytes)).coverAll)
        let frame = try #require(bytes.indices.first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC2 })
        bytes[frame + 1] = 0xCA
        #expect(!JPEGMarkers(Data(bytes)).coverAll)
    }
}
