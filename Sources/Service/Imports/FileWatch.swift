import Crypto
import Domain
import Exchange
import NIOConcurrencyHelpers

/// Stops an import when its file changes while it is read: another inode, size or time of change, or other content than
/// in the first pass.
final class FileWatch: Sendable {
    private struct Seen {
        var batch: BatchID?
        /// Of each chunk in the first pass. 32 bytes for some hundred rows.
        var digests: [[UInt8]] = []
    }

    private let path: String
    private let identity: FileIdentity
    /// Of the file's content.
    let fingerprint: Fingerprint
    private let seen = NIOLockedValueBox(Seen())

    /// - Throws: what reading throws.
    init(_ path: String) throws {
        self.path = path
        identity = try FileIdentity(path: path)
        fingerprint = try FileDigest.fingerprint(of: path)
    }

    /// From now on rows are recorded.
    func begin(_ batch: BatchID) {
        seen.withLockedValue { $0.batch = batch }
    }

    /// Reads, and looks whether the file is the same; also where reading fails, because it may have been cut.
    /// - Throws: ``ImportError/fileChanged(file:batch:)``; what `read` throws.
    func reading<Value>(_ read: () throws -> Value) throws -> Value {
        let result = Result { try read() }
        guard (try? FileIdentity(path: path)) == identity else { throw changed }
        return try result.get()
    }

    /// Takes in the next chunk of the first pass.
    func expect(_ digest: [UInt8]) {
        seen.withLockedValue { $0.digests.append(digest) }
    }

    /// Whether the first pass has read the content that the import is known by.
    func checkContent() throws {
        guard try reading({ try FileDigest.fingerprint(of: path) }) == fingerprint else { throw changed }
    }

    /// Whether a chunk is as it was in the first pass.
    func checkChunk(_ chunk: ImportChunk, _ contents: [OccurrenceContent?]) throws {
        let expected = seen.withLockedValue {
            $0.digests.indices.contains(chunk.number) ? $0.digests[chunk.number] : nil
        }
        guard chunk.digest(contents) == expected else { throw changed }
    }

    /// Whether there were as many chunks as in the first pass.
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
            guard case .refused(let refusal, let file) = record else { continue }
            for text in [file, String(refusal.line)] + refusal.fields { hash.update(data: Array(text.utf8) + [0]) }
        }
        return Array(hash.finalize())
    }
}
