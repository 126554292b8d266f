import Crypto
import Domain
import Exchange
import NIOConcurrencyHelpers
import Service

/// Stops an import if its file changes while it is read: if its inode, size or modification time is another, or its
/// content differs from that of the first pass.
final class FileWatch: Sendable {
    private struct Seen {
        var batch: BatchID?
        /// The digest of each chunk in the first pass: 32 bytes for some hundred rows.
        var digests: [[UInt8]] = []
    }

    private let path: String
    private let identity: FileIdentity
    /// The fingerprint of the file's content.
    let fingerprint: Fingerprint
    private let seen = NIOLockedValueBox(Seen())

    /// - Throws: what reading throws.
    init(_ path: String) throws {
        self.path = path
        identity = try FileIdentity(path: path)
        fingerprint = try FileDigest.fingerprint(of: path)
    }

    /// Marks that rows are recorded from now on.
    func begin(_ batch: BatchID) {
        seen.withLockedValue { $0.batch = batch }
    }

    /// Reads, then checks that the file is the same; also if reading fails, because the file may have been truncated.
    /// - Throws: ``ImportError/fileChanged(file:batch:)``; what `read` throws.
    func reading<Value>(_ read: () throws -> Value) throws -> Value {
        let result = Result { try read() }
        guard (try? FileIdentity(path: path)) == identity else { throw changed }
        return try result.get()
    }

    /// Stores the digest of the next chunk, in the first pass.
    func expect(_ digest: [UInt8]) {
        seen.withLockedValue { $0.digests.append(digest) }
    }

    /// Checks that the file has the content whose fingerprint identifies the import.
    func checkContent() throws {
        guard try reading({ try FileDigest.fingerprint(of: path) }) == fingerprint else { throw changed }
    }

    /// Checks that a chunk is as it was in the first pass.
    func checkChunk(_ chunk: ImportChunk, _ contents: [OccurrenceContent?]) throws {
        let expected = seen.withLockedValue {
            $0.digests.indices.contains(chunk.number) ? $0.digests[chunk.number] : nil
        }
        guard chunk.digest(contents) == expected else { throw changed }
    }

    /// Checks that there were as many chunks as in the first pass.
    func checkEnd(chunks: Int) throws {
        guard seen.withLockedValue({ $0.digests.count }) == chunks else { throw changed }
    }

    private var changed: ImportError {
        .fileChanged(file: path, batch: seen.withLockedValue { $0.batch })
    }
}

extension ImportChunk {
    /// SHA-256 of everything that was read.
    func digest(_ contents: [OccurrenceContent?]) -> [UInt8] {
        var hash = SHA256()
        for (record, content) in zip(records, contents) {
            if let content { hash.update(data: content.digest) }
            guard case .rejected(let rejection, let file) = record else { continue }
            for text in [file, String(rejection.line)] + rejection.fields { hash.update(data: Array(text.utf8) + [0]) }
        }
        return Array(hash.finalize())
    }
}
