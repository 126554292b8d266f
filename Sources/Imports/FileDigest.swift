import Crypto
import Domain
import Exchange

/// The SHA-256 by which a file is recognised.
enum FileDigest {
    /// The digest of a file; for a folder, over the names and contents of its files, in the order of their names.
    /// - Throws: what reading throws.
    static func fingerprint(of path: String) throws -> Fingerprint {
        var hash = SHA256()
        let kind = try ContainerKind(path: path)
        if case .directory = kind {
            let container = try kind.open(path)
            for file in container.files {
                hash.update(data: Array(file.name.utf8) + [0])
                try add(try container.open(file.name), to: &hash)
            }
        } else {
            try add(try FileByteSource(path: path), to: &hash)
        }
        return try Fingerprint(bytes: Array(hash.finalize()))
    }

    private static func add(_ source: any ByteSource, to hash: inout SHA256) throws {
        var buffer = [UInt8](repeating: 0, count: 256 * 1024)
        while true {
            let count = try buffer.withUnsafeMutableBytes { try source.read(into: $0) }
            guard count > 0 else { return }
            buffer.withUnsafeBytes { hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
    }
}
