import Foundation
import Glibc
import TestSupport
import Testing

/// `skein export` to a file that the file system has no room for.
struct FullDiskExportTests {
    private static let rows = 400

    /// Imports records whose export is larger than ``TinyDisk`` and than a file may be that ``limited`` writes.
    private func importRows(_ service: ServedSkein) async throws {
        let file = service.folder + "/wrens.csv"
        let header = "occurrenceID,scientificName,decimalLatitude,decimalLongitude,eventDate,locality"
        let rows = (1...Self.rows).map { number in
            "wren-\(number),Troglodytes pacificus,45.\(number),-122.5,2019-05-04,"
                + String(repeating: "a long way up the creek ", count: 8)
        }
        try Data(([header] + rows).joined(separator: "\n").utf8).write(to: URL(filePath: file))
        _ = try await service.command([
            "import", "occurrences", file, "--dataset", "Wrens", "--licence", "CC-BY-4.0", "--republish", "yes",
        ])
    }

    /// A launcher of programs whose files get no larger than 8 KiB. Without the signal, writing more is an error, as it
    /// is on a full disk.
    private static let limited = ["/bin/bash", "-c", "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\""]

    /// Runs `skein export` to a file.
    /// - Returns: what it printed as errors.
    private func export(
        to file: String, _ service: ServedSkein, launcher: [String] = [], status: Int32
    ) async throws -> String {
        let process = ServedSkein.skein(
            ["export", "--format", "csv", "-o", file, "--data-dir", service.folder + "/data"], launcher: launcher)
        process.standardOutput = FileHandle.nullDevice
        let text = try await process.output(isOfErrors: true)
        #expect(process.terminationReason == .exit && process.terminationStatus == status, "\(text)")
        return text
    }

    /// The names in a folder, hidden ones too.
    private func names(in folder: String) throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: folder))
    }

    @Test func `a file that cannot be written whole leaves the one before it, and the error names it`() async throws {
        try await ServedSkein.run { service in
            try await importRows(service)
            let folder = service.folder + "/files"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            let file = folder + "/records.csv"
            let text = try await export(to: file, service, launcher: Self.limited, status: 1)
            #expect(text.contains("cannot write \(file): File too large"), "\(text)")
            #expect(try names(in: folder).isEmpty)

            _ = try await export(to: file, service, status: 0)
            let (bytes, manifest) = (FileManager.default.contents(atPath: file), file + ".manifest.json")
            let before = try #require(FileManager.default.contents(atPath: manifest))
            #expect(try #require(bytes).count > 100 * Self.rows)
            _ = try await export(to: file, service, launcher: Self.limited, status: 1)
            #expect(FileManager.default.contents(atPath: file) == bytes)
            #expect(FileManager.default.contents(atPath: manifest) == before)
            #expect(try names(in: folder) == ["records.csv", "records.csv.manifest.json"])
        }
    }

    @Test(.enabled(if: TinyDisk.isPossible, "only root, with the capability, mounts a file system"))
    func `a full file system is an error that names the file, and has no part of it`() async throws {
        try await ServedSkein.run { service in
            try await importRows(service)
            try await TinyDisk.mounted(at: service.folder + "/disk") { folder in
                let file = folder + "/records.csv"
                let text = try await export(to: file, service, status: 1)
                #expect(text.contains("cannot write \(file): No space left on device"), "\(text)")
                #expect(try names(in: folder).isEmpty)
            }
        }
    }
}

/// A file system of 64 KiB, which an export fills.
private enum TinyDisk {
    /// Whether this process may mount one: root in a container often may not.
    static let isPossible: Bool = {
        guard geteuid() == 0 else { return false }
        let folder = FileManager.default.temporaryDirectory.path + "/tiny-\(UUID().uuidString)"
        guard (try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)) != nil
        else { return false }
        defer { rmdir(folder) }
        guard mount(folder) else { return false }
        return umount(folder) == 0
    }()

    static func mounted(at folder: String, _ body: (String) async throws -> Void) async throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try #require(mount(folder), "errno \(errno)")
        let result: Result<Void, any Error>
        do { result = .success(try await body(folder)) } catch { result = .failure(error) }
        #expect(umount(folder) == 0, "errno \(errno)")
        try result.get()
    }

    private static func mount(_ folder: String) -> Bool {
        Glibc.mount("tmpfs", folder, "tmpfs", 0, "size=64k,mode=777") == 0
    }
}
