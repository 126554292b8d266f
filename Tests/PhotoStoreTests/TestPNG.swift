import CZlib

/// PNGs that are written chunk by chunk.
enum TestPNG {
    /// Bytes as zlib compresses them.
    static func deflated(_ bytes: [UInt8]) -> [UInt8] {
        var length = compressBound(UInt(bytes.count))
        var compressed = [UInt8](repeating: 0, count: Int(length))
        let status = compress2(&compressed, &length, bytes, UInt(bytes.count), 9)
        precondition(status == Z_OK)
        return Array(compressed.prefix(Int(length)))
    }

    static func number(_ value: Int) -> [UInt8] { MadeImage.number(value, 4) }

    static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + data
        return number(data.count) + body + number(Int(crc32(0, body, UInt32(body.count))))
    }

    /// A grey rectangle, with chunks before its pixels and after them.
    static func grey(_ width: Int, _ height: Int, before: [UInt8] = [], after: [UInt8] = []) -> [UInt8] {
        let row: [UInt8] = [0] + [UInt8](repeating: 0x80, count: width)
        let parts: [[UInt8]] = [
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A],
            chunk("IHDR", number(width) + number(height) + [8, 0, 0, 0, 0]), before,
            chunk("IDAT", deflated((0..<height).flatMap { _ in row })), after, chunk("IEND", []),
        ]
        return Array(parts.joined())
    }
}
