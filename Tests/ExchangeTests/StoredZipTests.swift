import Foundation
import Testing

@testable import Exchange

struct StoredZipTests {
    private static let wren = StoredZip.Entry(name: "wren.txt", size: 4, checksum: 0x6D80_CC5F)

    @Test func `entries are dated 1980 and stored`() {
        let header = StoredZip(entries: [Self.wren]).header(of: Self.wren)
        #expect(Array(header[..<4]) == Array("PK\u{3}\u{4}".utf8))
        #expect(Array(header[8..<14]) == [0, 0, 0, 0, 0x21, 0], "no compression; 00:00; 1980-01-01")
        #expect(Array(header[14..<30]) == [0x5F, 0xCC, 0x80, 0x6D, 4, 0, 0, 0, 4, 0, 0, 0, 8, 0, 0, 0])
        #expect(Array(header[30...]) == Array("wren.txt".utf8))
    }

    @Test func `the size is known beforehand`() {
        let zip = StoredZip(entries: [Self.wren])
        #expect(zip.size == UInt64(zip.header(of: Self.wren).count + 4 + zip.directory().count))
        #expect(StoredZip(entries: []).size == 22)
    }

    /// The large entry is a hole in the file: it takes no room on the disk.
    @Test func `entries beyond 4 GiB are found`() throws {
        let folder = try TemporaryFolder()
        let large = StoredZip.Entry(name: "large.txt", size: 5 << 30, checksum: 0)
        let content = Array("wren".utf8)
        let small = StoredZip.Entry(name: "wren.txt", size: 4, checksum: Self.checksum(content))
        let zip = StoredZip(entries: [large, small])
        let path = try folder.write("large.zip", zip.header(of: large))
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.seek(toOffset: UInt64(zip.header(of: large).count) + large.size)
        try file.write(contentsOf: Data(zip.header(of: small) + content + zip.directory()))
        #expect(try file.offset() == zip.size)
        try file.close()
        let container = try ArchiveContainer(path: path, kind: .zip, limits: .init())
        #expect(
            container.files == [
                ContainedFile(name: "large.txt", statedSize: 5 << 30), ContainedFile(name: "wren.txt", statedSize: 4),
            ])
        #expect(try container.contents(of: "wren.txt", limit: 10) == content)
    }

    /// CRC-32, bit by bit.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var rest = UInt32.max
        for byte in bytes {
            rest ^= UInt32(byte)
            for _ in 0..<8 {
                let isOdd = rest & 1 == 1
                rest >>= 1
                if isOdd { rest ^= 0xEDB8_8320 }
            }
        }
        return ~rest
    }
}
