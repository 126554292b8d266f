import Crypto
package import FoundationEssentials

/// Derives the ids that make a retry find its first outcome.
///
/// All are hashes (UUIDs of version 8, RFC 9562) that reveal nothing about the key. The time of a version 7 key would
/// keep ids in order in the indexes; but ids of sightings are public, and an equal time would show which of them one
/// person sent together, even after that account was erased.
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
        return hashed(hash.finalize())
    }

    /// The id of a stream that a command begins: the same for the same command and kind.
    package static func stream(kind: String, of command: UUID) -> UUID {
        var hash = SHA256()
        hash.update(data: Array("stream/".utf8))
        hash.update(data: Array(kind.utf8))
        hash.update(data: [0])
        hash.update(data: command.bytes)
        return hashed(hash.finalize())
    }

    /// An id derived from a name alone, for streams identified by something that is public anyway (a taxon).
    package static func named(_ parts: String...) -> UUID {
        var name: [UInt8] = []
        for part in parts {
            name += part.utf8
            name.append(0)
        }
        return hashed(SHA256.hash(data: name))
    }

    /// An id that is the beginning of a hash: a keyed one, where the content must not be guessed from the id.
    /// - Parameter code: at least sixteen bytes.
    package static func hashed(_ code: some Sequence<UInt8>) -> UUID {
        var bytes = Array(code.prefix(16))
        bytes[6] = bytes[6] & 0x0f | 0x80
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
