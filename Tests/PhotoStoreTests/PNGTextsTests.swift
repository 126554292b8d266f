import Foundation
import TestSupport
import Testing

@testable import PhotoStore

struct PNGTextsTests {
    private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] { TestPNG.chunk(type, data) }
    private static func deflated(_ bytes: [UInt8]) -> [UInt8] { TestPNG.deflated(bytes) }
    private static func number(_ value: Int) -> [UInt8] { TestPNG.number(value) }

    /// A grey square of 16 pixels, with chunks before its pixels and after them.
    private static func png(before: [UInt8] = [], after: [UInt8] = []) -> Data {
        Data(TestPNG.grey(16, 16, before: before, after: after))
    }

    private static let comment = Array("Comment\0".utf8)
    private static let texts =
        chunk("tEXt", comment + Array("grey".utf8)) + chunk("zTXt", comment + [0] + deflated(Array("grey".utf8)))
        + chunk("iTXt", comment + [0, 0, 0, 0] + Array("grey".utf8))

    @Test func `texts are removed, and nothing else`() {
        let exif = Self.chunk("eXIf", Array("MM".utf8))
        let clean = Self.png(before: exif)
        #expect(PNGTexts.removed(from: clean) == nil)
        #expect(PNGTexts.removed(from: Self.png(before: exif + Self.texts)) == clean)
        #expect(PNGTexts.removed(from: Self.png(before: Self.texts + exif, after: Self.texts)) == clean)
    }

    @Test func `what cannot be read as chunks stays as it is`() throws {
        let whole = Self.png(before: Self.texts)
        for length in 0..<whole.count {
            let cut = whole.prefix(length)
            #expect(PNGTexts.removed(from: Data(cut)).map { $0.count < length } ?? true)
        }
        let endless = Self.png(before: Self.number(0x7FFF_FFFF) + Array("zTXt".utf8))
        #expect(PNGTexts.removed(from: endless) == nil)
    }

    @Test(.hangs) func `texts that inflate to a gigabyte take no time`() async throws {
        let bomb = Self.chunk(
            "zTXt", Self.comment + [0] + Self.deflated([UInt8](repeating: 0x20, count: 50_000_000)))
        // Five gigabytes: inflating them takes many times what all else does, on any machine.
        let png = Self.png(before: Array(repeatElement(bomb, count: 100).joined()))
        try await PhotoFiles.withFolder { folder in
            let original = folder + "/original"
            try png.write(to: URL(filePath: original))
            let photo = try await PhotoFiles.renderer().render(original, into: folder)
            #expect(photo.width == 16 && photo.renditions.count == 3)
        }
    }
}
