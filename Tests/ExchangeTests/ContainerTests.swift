import Foundation
import TestRandom
import Testing

@testable import Exchange

struct ContainerTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    private func archive(
        _ entries: [(name: String, bytes: [UInt8])], _ format: ArchiveBuilder.Format = .zip
    ) throws -> String {
        let path = path("test.bin")
        try ArchiveBuilder.write(entries, as: format, to: path)
        return path
    }

    private func files(of path: String, limits: ArchiveLimits = .init()) throws -> [String: [UInt8]] {
        let container = try ContainerKind(path: path).open(path, limits: limits)
        return try container.files.reduce(into: [:]) {
            $0[$1.name] = try container.contents(of: $1.name, limit: 1 << 30)
        }
    }

    @Test(arguments: [ArchiveBuilder.Format.zip, .tar, .tgz])
    func `archives are known by their bytes`(_ format: ArchiveBuilder.Format) throws {
        let path = try archive(
            [("b.txt", [1, 2, 3]), ("å/鳥.txt", []), ("a.txt", Array(repeating: 7, count: 300_000))], format)
        #expect(try ContainerKind(path: path) == (format == .zip ? .zip : .tar))
        #expect(
            try files(of: path) == ["a.txt": Array(repeating: 7, count: 300_000), "b.txt": [1, 2, 3], "å/鳥.txt": []])
    }

    @Test func `other kinds`() throws {
        try ArchiveBuilder.writeGzip(Array("a,b\n".utf8), to: path("x.csv.gz"))
        try ArchiveBuilder.writeGzip([], to: path("empty.gz"))
        try folder.write("plain.zip", "a,b\n")
        try folder.write("empty", "")
        #expect(try ContainerKind(path: path("x.csv.gz")) == .gzip)
        #expect(try files(of: path("x.csv.gz")) == ["x.csv": Array("a,b\n".utf8)])
        #expect(try files(of: path("empty.gz")) == ["empty": []])
        #expect(try ContainerKind(path: path("plain.zip")) == .plainFile)
        #expect(try files(of: path("empty")) == ["empty": []])
        #expect(try ContainerKind(path: folder.path) == .directory)
        #expect(throws: FileError.cannotOpen(path: path("none"), code: 2)) { try ContainerKind(path: path("none")) }
        #expect(throws: FileError.notRegular(path: "/dev/null")) { try ContainerKind(path: "/dev/null") }
    }

    @Test func `folders one level deep without links`() throws {
        try folder.write("a.txt", "1")
        try folder.write("in/b.txt", "2")
        try folder.write("in/deep/c.txt", "3")
        try folder.write("__MACOSX/a.txt", "4")
        try folder.write("._a.txt", "5")
        try FileManager.default.createSymbolicLink(atPath: path("link.txt"), withDestinationPath: "/etc/hostname")
        let container = try DirectoryContainer(path: folder.path, limits: .init())
        #expect(container.files.map(\.name) == ["a.txt", "in/b.txt"])
        #expect(container.readingSize(of: "a.txt") == 1)
        #expect(throws: ArchiveError.self) { try container.open("link.txt") }
        #expect(throws: ArchiveError.self) { try container.open("../x") }
    }

    @Test(
        arguments: [
            ("a/./b.txt", "a/b.txt"), ("./a.txt", "a.txt"), ("a\\b.txt", "a/b.txt"), ("a..b/c", "a..b/c"),
            ("../a", nil), ("a/../../b", nil), ("/etc/passwd", nil), ("C:\\a", nil), ("", nil), ("a\0b", nil),
            ("a/..", nil),
            ("__MACOSX/._a", nil), ("x/._a", nil), (".DS_Store", nil), ("\\\\host\\a", nil),
        ] as [(String, String?)])
    func `names`(_ raw: String, accepted: String?) {
        #expect(EntryName.accepted(raw) == accepted)
    }

    @Test(arguments: [ArchiveBuilder.Format.zip, .tgz])
    func `entries that point outside are not there`(_ format: ArchiveBuilder.Format) throws {
        let path = try archive([("../evil.txt", [1]), ("/etc/evil.txt", [2]), ("good.txt", [3])], format)
        #expect(try files(of: path) == ["good.txt": [3]])
    }

    @Test func `two entries of one name are rejected`() throws {
        let path = try archive([("a.txt", [1]), ("./a.txt", [2])])
        #expect(throws: ArchiveError.duplicateEntry(path: path, name: "a.txt")) { try files(of: path) }
    }

    @Test(arguments: [ArchiveBuilder.Format.zip, .tgz])
    func `bombs are rejected`(_ format: ArchiveBuilder.Format) throws {
        let path = try archive([("bomb.csv", [UInt8](repeating: 0x61, count: 4 << 20))], format)
        var limits = ArchiveLimits()
        #expect(try files(of: path, limits: limits)["bomb.csv"]?.count == 4 << 20)
        (limits.ratioFreeBytes, limits.maximumRatio) = (1 << 20, 100)
        let size = try FileStatus(path: path).size
        #expect(throws: ArchiveError.expandsTooMuch(path: path, limit: max(1 << 20, size * 100))) {
            try files(of: path, limits: limits)
        }
        limits = ArchiveLimits()
        limits.maximumExpandedBytes = 1 << 20
        #expect(throws: ArchiveError.expandsTooMuch(path: path, limit: 1 << 20)) { try files(of: path, limits: limits) }
    }

    @Test func `gzip bombs are rejected`() throws {
        try ArchiveBuilder.writeGzip([UInt8](repeating: 0, count: 80 << 20), to: path("bomb.gz"))
        #expect(throws: ArchiveError.self) { try files(of: path("bomb.gz")) }
    }

    @Test func `entries are counted`() throws {
        let path = try archive((0..<20).map { ("\($0).txt", []) })
        var limits = ArchiveLimits()
        limits.maximumEntries = 19
        #expect(throws: ArchiveError.tooManyEntries(path: path, limit: 19)) { try files(of: path, limits: limits) }
    }

    @Test(arguments: [ArchiveBuilder.Format.zip, .tgz])
    func `what is cut short is an error`(_ format: ArchiveBuilder.Format) throws {
        var generator = RandomSource(seed: 41)
        let noise = (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let whole = Array(try Data(contentsOf: URL(fileURLWithPath: try archive([("a.txt", noise)], format))))
        for length in stride(from: 512, to: whole.count - 600, by: 997) {
            let path = try folder.write("cut.tgz", Array(whole[..<length]))
            #expect(throws: (any Error).self, "cut at \(length)") { try files(of: path) }
        }
    }

    @Test func `a damaged zip entry is an error`() throws {
        var bytes = Array(
            try Data(contentsOf: URL(fileURLWithPath: try archive([("a.txt", Array("a,b,c,d,e,f\n".utf8))]))))
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("a.txt".utf8)) })
        bytes[place + 12] ^= 0x10
        let path = try folder.write("damaged.zip", bytes)
        #expect(throws: ArchiveError.self) { try files(of: path) }
    }

    private func gzip(_ text: String) throws -> [UInt8] {
        try ArchiveBuilder.writeGzip(Array(text.utf8), to: path("member.gz"))
        return try FileByteSource(path: path("member.gz")).readBytes(upTo: 1 << 20)
    }

    @Test func `several gzip members are one file`() throws {
        let path = try folder.write("double.gz", try gzip("a,b,c\n") + gzip("") + gzip("d\n"))
        #expect(try files(of: path) == ["double": Array("a,b,c\nd\n".utf8)])
    }

    /// The last eight bytes of a member are checksum and length, four bytes each.
    @Test(arguments: [0, 1], [5, 2])
    func `a gzip member whose checksum or length disagrees is an error`(member: Int, fromEnd: Int) throws {
        var members = [try gzip("a,b,c\n"), try gzip("d,e,f\n")]
        members[member][members[member].count - fromEnd] ^= 1
        let damaged = try folder.write("damaged.gz", members.flatMap { $0 })
        #expect(throws: ArchiveError.self) { try files(of: damaged) }
    }

    @Test func `a gzip file that is cut short is an error`() throws {
        let whole = try gzip("a,b,c\n") + gzip(String(repeating: "d,e,f\n", count: 50))
        let first = try gzip("a,b,c\n").count
        for length in 3..<whole.count where length != first && length != first + 1 {
            let cut = try folder.write("cut.gz", Array(whole[..<length]))
            #expect(throws: ArchiveError.self, "cut at \(length)") { try files(of: cut) }
        }
    }

    /// `gzread` takes some of these for whole files.
    @Test func `a regular gzip file that is cut short is an error`() throws {
        let whole = try gzip(String(repeating: "0", count: 1 << 20))
        for length in 20..<whole.count {
            let cut = try folder.write("cut.gz", Array(whole[..<length]))
            #expect(throws: ArchiveError.self, "cut at \(length)") { try files(of: cut) }
        }
    }

    @Test func `bytes after the last gzip member are ignored`() throws {
        let path = try folder.write("padded.gz", try gzip("a,b,c\n") + [0, 0, 0, 0, 7])
        #expect(try files(of: path) == ["padded": Array("a,b,c\n".utf8)])
    }

    @Test func `what is not gzip is an error`() throws {
        let path = try folder.write("plain.gz", "a,b,c\n")
        #expect(throws: ArchiveError.self) {
            _ = try ContainerKind.gzip.open(path).open("plain").readBytes(upTo: .max)
        }
    }

    @Test func `progress is in bytes on disk`() throws {
        try ArchiveBuilder.writeGzip([UInt8](repeating: 0x61, count: 5 << 20), to: path("x.gz"))
        let source = try ContainerKind.gzip.open(path("x.gz")).open("x")
        #expect(source.progress.fraction < 1.1)
        _ = try source.readBytes(upTo: .max)
        #expect(
            source.progress == .init(consumed: source.progress.total, total: try FileStatus(path: path("x.gz")).size))
        #expect(ByteProgress(consumed: 7, total: 5).fraction == 1 && ByteProgress(consumed: 0, total: 0).fraction == 1)
    }

    @Test func `a file that must fit in memory is limited`() throws {
        let path = try archive([("a.txt", [1, 2, 3])])
        let container = try ContainerKind.zip.open(path)
        #expect(throws: ArchiveError.entryTooLarge(path: path, name: "a.txt", limit: 2)) {
            try container.contents(of: "a.txt", limit: 2)
        }
        #expect(throws: ArchiveError.missingEntry(path: path, name: "b.txt")) { try container.open("b.txt") }
    }
}
