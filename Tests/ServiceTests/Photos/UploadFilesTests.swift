import Foundation
import NIOCore
import PhotoStore
import Testing

@testable import Service

struct UploadFilesTests {
    private static func run(_ body: (UploadFiles, UUID) async throws -> Void) async throws {
        try await runTwo { files, _, upload in try await body(files, upload) }
    }

    /// With the same folder as two processes have it.
    private static func runTwo(_ body: (UploadFiles, UploadFiles, UUID) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "skein-uploads-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let (files, upload) = (UploadFiles(folder: folder.path), UUID())
        try files.make(upload)
        try await body(files, UploadFiles(folder: folder.path), upload)
    }

    @Test func `a later request adds nothing to a file that is being used`() async throws {
        try await Self.run { files, upload in
            let turn = files.takeTurn(upload)
            try await files.append(ByteBuffer(string: "all of it"), at: 0, in: turn)
            let used = try await files.finish(turn) { file in
                let later = files.takeTurn(upload)
                await #expect(throws: UploadFiles.Superseded.self) {
                    try await files.append(ByteBuffer(string: " and more"), at: 9, in: later)
                }
                #expect(try await files.finish(later) { _ in true } == nil)
                return try await SHA256Sum.ofFile(file.path).digest == file.digest
            }
            #expect(used == true && files.size(of: upload) == 9)
        }
    }

    @Test func `an upload that is ended while its file is used keeps it until then`() async throws {
        try await Self.run { files, upload in
            let turn = files.takeTurn(upload)
            try await files.append(ByteBuffer(string: "all of it"), at: 0, in: turn)
            let isThere = try await files.finish(turn) { _ in
                files.remove(upload)
                return files.size(of: upload) == 9
            }
            #expect(isThere == true)
            files.remove(upload)
            #expect(files.size(of: upload) == nil)
            let late = files.takeTurn(upload)
            await #expect(throws: UploadFiles.Superseded.self) {
                try await files.append(ByteBuffer(string: "more"), at: 0, in: late)
            }
        }
    }

    @Test func `another process neither changes nor removes a file that is being used`() async throws {
        try await Self.runTwo { files, other, upload in
            let turn = files.takeTurn(upload)
            try await files.append(ByteBuffer(string: "all of it"), at: 0, in: turn)
            let used = try await files.finish(turn) { file in
                let late = other.takeTurn(upload)
                await #expect(throws: UploadFiles.Superseded.self) {
                    try await other.append(ByteBuffer(string: " and more"), at: 9, in: late)
                }
                #expect(try await other.finish(late) { _ in true } == nil)
                other.remove(upload)
                return try await SHA256Sum.ofFile(file.path).digest == file.digest
            }
            #expect(used == true && files.size(of: upload) == 9)
            other.remove(upload)
            #expect(files.size(of: upload) == nil)
        }
    }

    @Test func `bytes are not added where another process has added some`() async throws {
        try await Self.runTwo { files, other, upload in
            let (turn, late) = (files.takeTurn(upload), other.takeTurn(upload))
            try await files.append(ByteBuffer(string: "half"), at: 0, in: turn)
            await #expect(throws: UploadFiles.Superseded.self) {
                try await other.append(ByteBuffer(string: "half"), at: 0, in: late)
            }
            try await other.append(ByteBuffer(string: " more"), at: 4, in: late)
            await #expect(throws: UploadFiles.Superseded.self) {
                try await files.append(ByteBuffer(string: " and more"), at: 4, in: turn)
            }
            #expect(files.size(of: upload) == 9)
        }
    }

    @Test func `a request whose turn is over uses no file`() async throws {
        try await Self.run { files, upload in
            let turn = files.takeTurn(upload)
            let later = files.takeTurn(upload)
            await #expect(throws: UploadFiles.Superseded.self) { try await files.finish(turn) { _ in } }
            try await files.append(ByteBuffer(string: "more"), at: 0, in: later)
            #expect(try await files.finish(later) { $0.size } == 4)
        }
    }
}
