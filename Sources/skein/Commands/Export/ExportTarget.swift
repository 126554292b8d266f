import Domain
import Exchange
import Forms
import Foundation
import Glibc
import JSON
import Service

/// Where an export is written.
enum ExportTarget: Sendable {
    case standardOutput
    case file(String)

    /// - Throws: `RuleViolation` for a file that cannot be made.
    init(_ text: String) throws(RuleViolation) {
        if text == "-" {
            self = .standardOutput
            return
        }
        let path = URL(fileURLWithPath: text).standardizedFileURL.path
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
            throw RuleViolation(.format, "must be a file, not a folder")
        }
        let folder = (path as NSString).deletingLastPathComponent
        guard FileManager.default.isWritableFile(atPath: folder) else {
            throw RuleViolation(.format, "must be in a folder that exists and can be written to")
        }
        self = .file(path)
    }

    /// Makes an export and writes it: whole, or not at all.
    /// - Throws: `FileExportError`; what making it, or the file system, throws.
    func write(_ request: FileExportRequest, _ session: ExportSession) async throws {
        switch self {
        case .standardOutput:
            let settings = try session.settings.withClaimedFolder()
            let files = session.cases.exports.files(over: session.pool, in: settings.folder, disk: settings.disk)
            let export = try await files.make(request)
            try Self.copy(export.path)
            withExtendedLifetime((export, settings)) {}
        case .file(let path):
            do {
                print(try await Self.write(request, to: path, session))
            } catch {
                throw Self.naming(path, error)
            }
        }
    }

    /// The error of a write that failed, with the file that was asked for: it is written under other names first.
    private static func naming(_ path: String, _ error: any Error) -> any Error {
        switch error {
        case FileError.cannotOpen(_, let code), FileError.cannotWrite(_, let code):
            return FileError.cannotWrite(path: path, code: code)
        case FileExportError.noSpace(let free, let reserve):
            if let free, let reserve, free < reserve { return error }
            return FileError.cannotWrite(path: path, code: ENOSPC)
        default:
            return error
        }
    }

    /// - Returns: a line about the file.
    private static func write(
        _ request: FileExportRequest, to path: String, _ session: ExportSession
    ) async throws -> String {
        let file = URL(fileURLWithPath: path)
        let (parent, name) = (file.deletingLastPathComponent().path, file.lastPathComponent)
        // On the same file system, so that renaming needs no space.
        let folder = "\(parent)/.\(name).\(UUID().uuidString.prefix(8))"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // The reserve is that of the database's disk; an operator may fill another one.
        let isShared = device(of: parent) == device(of: session.dataDirectory)
        let disk = DiskSpace(of: [parent], reserve: isShared ? session.settings.disk.state.reserve : nil)
        let export = try await session.cases.exports.files(over: session.pool, in: folder, disk: disk).make(request)
        let manifest = folder + "/manifest"
        let sink = try FileByteSink(creating: manifest)
        try sink.append { $0 += JSONWriter.bytes(of: ExportManifest(export.facts)) }
        try sink.close()
        // The manifest first: whoever waits for the file finds both.
        try move(manifest, to: path + ".manifest.json")
        do {
            try move(export.path, to: path)
        } catch {
            try? FileManager.default.removeItem(atPath: path + ".manifest.json")
            throw error
        }
        return summary(export.facts, path)
    }

    private static func device(of path: String) -> UInt64? {
        var status = stat()
        return stat(path, &status) == 0 ? UInt64(status.st_dev) : nil
    }

    /// Replaces a file.
    private static func move(_ source: String, to target: String) throws {
        guard rename(source, target) == 0 else { throw FileError.cannotWrite(path: target, code: errno) }
    }

    private static func summary(_ facts: ExportFacts, _ path: String) -> String {
        let unit = facts.subject.format == .ranges ? "rows" : "records"
        var line = "\(path): \(facts.contents.rows) \(unit), \(facts.bytes) bytes, SHA-256 \(facts.sha256.text)"
        let leftOut = [
            (facts.leftOut.noLicence, "without a licence"), (facts.leftOut.notRepublished, "not passed on"),
            (facts.leftOut.unidentified, "without a taxon"),
        ].filter { $0.0 > 0 }
        if !leftOut.isEmpty { line += "; left out: " + leftOut.map { "\($0.0) \($0.1)" }.joined(separator: ", ") }
        return line
    }

    /// Copies a file to standard output.
    private static func copy(_ path: String) throws {
        guard let file = FileHandle(forReadingAtPath: path) else { throw FileError.cannotOpen(path: path, code: errno) }
        while let part = try file.read(upToCount: 65_536), !part.isEmpty {
            var rest = part[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw FileError.cannotWrite(path: "standard output", code: errno) }
                rest = rest.dropFirst(count)
            }
        }
    }
}
