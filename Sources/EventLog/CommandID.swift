import Crypto
package import FoundationEssentials

/// Derives the ids that make a retry find its first outcome.
///
/// A version 7 key (RFC 9562) keeps its 48 bits of time, whatever the time is now, so that ids of one client stay in
/// order in the indexes and a retry days later finds the first. Any other key is hashed whole (version 8).
package enum CommandID {
    /// The id of a command: the same for the same account, command name, target and idempotency key.
    /// - Parameters:
    ///   - account: the nil UUID where there is no account yet (at sign-up).
    ///   - target: the stream that the command changes; nil if it begins one.
    package static func derive(account: UUID, command: String, target: UUID? = nil, key: UUID) -> UUID {
        var hash = SHA256()
        hash.update(data: Array(command.utf8))
        hash.update(data: [0])
        hash.update(data: account.bytes)
        hash.update(data: (target ?? UUID(bytes: [])).bytes)
        hash.update(data: key.bytes)
        return uuid(digest: Array(hash.finalize()), timeOf: key)
    }

    /// The id of a stream that a command begins: the same for the same command and kind.
    package static func stream(kind: String, of command: UUID) -> UUID {
        var hash = SHA256()
        hash.update(data: Array("stream/".utf8))
        hash.update(data: Array(kind.utf8))
        hash.update(data: [0])
        hash.update(data: command.bytes)
        return uuid(digest: Array(hash.finalize()), timeOf: command)
    }

    /// An id derived from a keyed hash, for streams identified by content that must not be guessed from the id.
    package static func hashed(_ code: some Sequence<UInt8>) -> UUID {
        uuid(digest: Array(code), timeOf: nil)
    }

    /// An id derived from a name alone, for streams identified by something that is public anyway (a taxon).
    package static func named(_ parts: String...) -> UUID {
        var name: [UInt8] = []
        for part in parts {
            name += part.utf8
            name.append(0)
        }
        return uuid(digest: Array(SHA256.hash(data: name)), timeOf: nil)
    }

    private static func uuid(digest: [UInt8], timeOf key: UUID?) -> UUID {
        var bytes = Array(digest.prefix(16))
        if let key = key?.bytes, key[6] >> 4 == 7, key[8] >> 6 == 0b10 {
            bytes.replaceSubrange(0..<6, with: key[0..<6])
            bytes[6] = bytes[6] & 0x0f | 0x70
        } else {
            bytes[6] = bytes[6] & 0x0f | 0x80
        }
        bytes[8] = bytes[8] & 0x3f | 0x80
        return UUID(bytes: bytes)
    }
}

extension UUID {
    /// The sixteen bytes, most significant first.
    package var bytes: [UInt8] {
        withUnsafeBytes(of: uuid) { Array($0) }
    }

    /// - Parameter bytes: sixteen bytes, most significant first; anything missing is zero.
    package init(bytes: [UInt8]) {
        var value: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &value) { $0.copyBytes(from: bytes.prefix(16)) }
        self.init(uuid: value)
    }
}
