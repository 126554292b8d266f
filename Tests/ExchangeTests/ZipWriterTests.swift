import Foundation
import Testing

@testable import Exchange

struct ZipWriterTests {
    /// Writes bytes to a file, and reads the archive back.
    private func entries(of bytes: [UInt8]) throws -> [String: [UInt8]] {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).zip").path
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let limits = ArchiveLimits()
        let container = try ArchiveContainer(path: path, kind: .zip, limits: limits)
        var found: [String: [UInt8]] = [:]
        for file in container.files {
            let source = try container.open(file.name)
            var content: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = try buffer.withUnsafeMutableBytes { try source.read(into: $0) }
                if count == 0 { break }
                content += buffer[..<count]
            }
            found[file.name] = content
        }
        return found
    }

    @Test func `compressed and stored entries come out as they went in`() throws {
        let zip = try ZipWriter()
        let text = Array(String(repeating: "a wren, ", count: 20_000).utf8)
        let noise = (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
        var file: [UInt8] = []
        try zip.begin("a/text.txt", modified: 1_800_000_000)
        for start in stride(from: 0, to: text.count, by: 1_000) {
            try zip.write(Array(text[start..<min(start + 1_000, text.count)]))
            file += zip.take()
        }
        try zip.begin("photos/noise.jpg", storing: noise.count, modified: 1_800_000_000)
        try zip.write(noise)
        file += zip.take()
        try zip.begin("empty.json", modified: 1_800_000_000)
        try zip.finish()
        file += zip.take()
        #expect(try entries(of: file) == ["a/text.txt": text, "photos/noise.jpg": noise, "empty.json": []])
        #expect(file.count < noise.count + 10_000, "the text is compressed")
        #expect(zip.take().isEmpty)
    }

    @Test func `what was made is passed on at once`() throws {
        let zip = try ZipWriter()
        try zip.begin("noise.jpg", storing: 300_000, modified: 0)
        _ = zip.take()
        for _ in 0..<3 {
            try zip.write([UInt8](repeating: 7, count: 100_000))
            #expect(zip.take().count >= 100_000)
        }
    }

    @Test func `more bytes than announced are an error`() throws {
        let zip = try ZipWriter()
        try zip.begin("photo.jpg", storing: 3, modified: 0)
        #expect(throws: ZipError.self) { try zip.write([1, 2, 3, 4]) }
    }
}
