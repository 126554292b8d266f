/// Images that are written part by part, with as many as a test wants.
enum MadeImage {
    /// A grey progressive JPEG.
    /// - Parameters:
    ///   - side: its width and height, a multiple of 8.
    ///   - scans: the first has the means of all blocks, each other all that is beside them: nothing.
    static func jpeg(side: Int, scans: Int) -> [UInt8] {
        let size = number(side, 2) + number(side, 2)
        let blocks = side / 8 * (side / 8)
        // Each code has one bit: a mean like the one before, and the end of a block.
        let scan = [UInt8](repeating: 0, count: blocks / 8) + (blocks % 8 > 0 ? [0xFF >> UInt8(blocks % 8)] : [])
        let table: [UInt8] = [1] + [UInt8](repeating: 0, count: 15) + [0]
        return [0xFF, 0xD8] + segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
            + segment(0xC2, [8] + size + [1, 1, 0x11, 0]) + segment(0xC4, [0x00] + table)
            + segment(0xC4, [0x10] + table) + segment(0xDA, [1, 1, 0, 0, 0, 0]) + scan
            + (1..<max(scans, 1)).flatMap { _ in segment(0xDA, [1, 1, 0, 1, 63, 0]) + scan } + [0xFF, 0xD9]
    }

    /// A marker segment of a JPEG.
    static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        [0xFF, marker] + number(content.count + 2, 2) + content
    }

    /// A JPEG with more segments of metadata after its first marker.
    static func adding(_ count: Int, to jpeg: [UInt8]) -> [UInt8] {
        Array(jpeg.prefix(2)) + (0..<count).flatMap { _ in segment(0xE1, [0x41]) } + jpeg.dropFirst(2)
    }

    /// An animated WebP of one pixel.
    static func webP(frames: Int) -> [UInt8] {
        func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
            Array(type.utf8) + number(data.count, 4).reversed() + data + (data.count % 2 == 0 ? [] : [0])
        }
        let pixel = chunk("VP8L", [0x2F, 0, 0, 0, 0x10, 0x07, 0x10, 0x11, 0x11, 0x88, 0x88, 0xFE, 0x07])
        let frame = chunk("ANMF", [UInt8](repeating: 0, count: 12) + [1, 0, 0, 0] + pixel)
        let body =
            Array("WEBP".utf8) + chunk("VP8X", [2] + [UInt8](repeating: 0, count: 9))
            + chunk("ANIM", [UInt8](repeating: 0, count: 6)) + (0..<frames).flatMap { _ in frame }
        return chunk("RIFF", body)
    }

    /// The boxes of a HEIC without pixels: so many items, and references of one of them.
    static func heic(items: Int, references: Int, isWide: Bool = false) -> [UInt8] {
        let version: [UInt8] = [isWide ? 1 : 0, 0, 0, 0]
        let length = isWide ? 4 : 2
        let reference = box("dimg", number(1, length) + number(references, 2))
        return box("ftyp", Array("heic0000mif1heic".utf8))
            + box(
                "meta",
                [0, 0, 0, 0] + box("iinf", version + number(items, length)) + box("iref", version + reference))
    }

    static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        number(content.count + 8, 4) + Array(type.utf8) + content
    }

    /// The highest byte first.
    static func number(_ value: Int, _ length: Int) -> [UInt8] {
        (0..<length).reversed().map { UInt8(value >> ($0 * 8) & 0xFF) }
    }
}
