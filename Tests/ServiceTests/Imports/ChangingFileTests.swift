import CoreFoundation
import Domain
import Foundation
import TestSupport
import Testing

@testable import Imports
@testable import Service

/// A file that changes while it is read stops the import.
struct ChangingFileTests {
    /// What happens to the file between the passes.
    enum Harm: CaseIterable {
        case appended, truncated, replaced, rewritten, removed
    }

    private static let rows = WrenRow.many(700)

    private static func harm(_ path: String, _ harm: Harm) throws {
        let url = URL(fileURLWithPath: path)
        var status = stat()
        stat(path, &status)
        switch harm {
        case .appended:
            let handle = try FileHandle(forWritingTo: url)
            try handle.seekToEnd()
            try handle.write(contentsOf: Data((WrenRow(id: "late").line + "\n").utf8))
            try handle.close()
        case .truncated:
            let handle = try FileHandle(forWritingTo: url)
            try handle.truncate(atOffset: try handle.seekToEnd() / 2)
            try handle.close()
        case .replaced:
            let data = try Data(contentsOf: url)
            try data.write(to: url, options: .atomic)
            utimensat(AT_FDCWD, path, [status.st_atim, status.st_mtim], 0)
        case .rewritten:
            // The same inode, size and time.
            let text = String(decoding: try Data(contentsOf: url), as: UTF8.self)
            let handle = try FileHandle(forWritingTo: url)
            try handle.write(contentsOf: Data(text.replacing("north", with: "south").utf8))
            try handle.close()
            utimensat(AT_FDCWD, path, [status.st_atim, status.st_mtim], 0)
        case .removed: try FileManager.default.removeItem(at: url)
        }
    }

    @Test(arguments: Harm.allCases)
    func `between the passes`(_ harm: Harm) async throws {
        try await ImportFixture.run { log in
            let file = try log.write("a.csv", WrenRow.file(Self.rows))
            let request = OccurrenceImportRequest(file: file, dataset: try DatasetTitle(ImportFixture.title))
            let error = await #expect(throws: ImportError.self) {
                try await log.importer().run(request) { progress in
                    if progress.phase == .inspecting, progress.fraction == 1 { try? Self.harm(file, harm) }
                }
            }
            guard case .fileChanged(let path, let batch)? = error else {
                Issue.record("expected that the file changed: \(String(describing: error))")
                return
            }
            #expect(path == file)
            #expect(try await log.sightings().isEmpty)
            guard let batch else { return }
            #expect(error?.description.contains("skein import undo \(batch)") == true)
            #expect(try await ImportUndo(log: log.log).run(batch).withdrawn == 0)
        }
    }

    @Test func `while rows are recorded: those recorded stay, until the import is undone or the file comes again`()
        async throws
    {
        try await ImportFixture.run { log in
            let rows = WrenRow.many(9_000)
            let file = try log.write("a.csv", WrenRow.file(rows))
            try await log.holding(after: 1_000) { held in
                let importing = Task { try await log.importRows(file) }
                try await held.waitForAppend()
                try Self.harm(file, .truncated)
                try await held.release()
                await #expect(throws: ImportError.self) { try await importing.value }
            }
            let recorded = try await log.standing()
            #expect(recorded.count >= 900 && recorded.count < 9_000)
            #expect(recorded.allSatisfy { $0.details.count != nil }, "no row was cut")
            let batch = try #require(recorded.first?.batch)
            #expect(try await ImportUndo(log: log.log).run(batch).withdrawn == recorded.count)
            #expect(try await log.standing().isEmpty)
            let whole = try await log.importRows(try log.write("a.csv", WrenRow.file(rows)))
            #expect(whole.accepted == 9_000 && whole.batch != batch)
        }
    }

    @Test func `an archive's folder, too`() async throws {
        try await ImportFixture.run { log in
            let folder = log.folder.appending(path: "archive")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let file = try log.write("archive/occurrence.csv", WrenRow.file(Self.rows))
            let path = folder.path(percentEncoded: false)
            let request = OccurrenceImportRequest(file: path, dataset: try DatasetTitle(ImportFixture.title))
            await #expect(throws: ImportError.self) {
                try await log.importer().run(request) { progress in
                    if progress.fraction == 1 { try? Self.harm(file, .rewritten) }
                }
            }
            #expect(try await log.sightings().isEmpty)
        }
    }
}
