import Bytes
import Crypto
import CryptoExtras
import Foundation

/// A password's record: enough to check a password, but not to recover it.
///
/// Written `scrypt$15$8$3$<salt>$<hash>`: log₂N, r and p in decimal, salt and hash in base64 without padding.
struct ScryptRecord: Sendable {
    let cost: ScryptCost
    let salt: [UInt8]
    let hash: [UInt8]

    static let saltLength = 16
    static let hashLength = 32

    /// A record that no password matches, for checks that must fail and take as long as any other.
    static func unmatchable(_ cost: ScryptCost) -> ScryptRecord {
        ScryptRecord(
            cost: cost, salt: [UInt8](repeating: 0, count: saltLength), hash: [UInt8](repeating: 0, count: hashLength))
    }

    /// The record of a password, with a salt of its own.
    static func make(_ password: String, cost: ScryptCost) throws -> ScryptRecord {
        let salt = (0..<saltLength).map { _ in UInt8.random(in: .min ... .max) }
        let key = try derive(password, salt: salt, cost: cost)
        return ScryptRecord(cost: cost, salt: salt, hash: key.withUnsafeBytes(Array.init))
    }

    /// Whether a password matches, compared in constant time.
    func fits(_ password: String) throws -> Bool {
        // Two values of `SymmetricKey` are compared in constant time.
        try Self.derive(password, salt: salt, cost: cost) == SymmetricKey(data: hash)
    }

    private static func derive(_ password: String, salt: [UInt8], cost: ScryptCost) throws -> SymmetricKey {
        // Keyboards differ in how they compose é; RFC 8265 has passwords compared in this form (NFC).
        let text = password.precomposedStringWithCanonicalMapping
        // The derivation traps on a password without bytes. One NUL replaces it: no password that may be chosen
        // is that short, so nothing matches by mistake.
        let bytes = text.isEmpty ? [0] : Array(text.utf8)
        return try KDF.Scrypt.deriveKey(
            from: bytes, salt: salt, outputByteCount: hashLength, rounds: 1 << cost.logRounds,
            blockSize: cost.blockSize, parallelism: cost.parallelism)
    }
}

extension ScryptRecord: LosslessStringConvertible {
    init?(_ text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0] == "scrypt",
            let logRounds = Int(parts[1]), let blockSize = Int(parts[2]), let parallelism = Int(parts[3]),
            let cost = ScryptCost(logRounds: logRounds, blockSize: blockSize, parallelism: parallelism),
            let salt = Base64.standard.decode(parts[4]), salt.count >= Self.saltLength,
            let hash = Base64.standard.decode(parts[5]), hash.count == Self.hashLength
        else { return nil }
        self.init(cost: cost, salt: salt, hash: hash)
    }

    var description: String {
        let numbers = "\(cost.logRounds)$\(cost.blockSize)$\(cost.parallelism)"
        return "scrypt$\(numbers)$\(Base64.standard.encode(salt))$\(Base64.standard.encode(hash))"
    }
}

/// The work and memory of one scrypt derivation.
package struct ScryptCost: Hashable, Sendable {
    /// log₂ of N, the number of rounds.
    package let logRounds: Int
    /// r, the block size, in units of 128 bytes.
    package let blockSize: Int
    /// p, the number of sequential repetitions.
    package let parallelism: Int

    /// N = 2¹⁵, r = 8, p = 3: 32 MiB while it runs.
    /// - Source: OWASP Password Storage Cheat Sheet, scrypt, the setting with 32 MiB.
    package static let standard = ScryptCost(trusted: 15, blockSize: 8, parallelism: 3)

    /// The least work possible, for tests of everything but the work.
    package static let least = ScryptCost(trusted: 1, blockSize: 1, parallelism: 1)

    /// A setting from a stored record; nil for an invalid one, or one over 64 MiB.
    package init?(logRounds: Int, blockSize: Int, parallelism: Int) {
        guard (1...20).contains(logRounds), (1...16).contains(blockSize), (1...16).contains(parallelism),
            128 * (1 << logRounds) * blockSize <= 64 << 20
        else { return nil }
        self.init(trusted: logRounds, blockSize: blockSize, parallelism: parallelism)
    }

    private init(trusted logRounds: Int, blockSize: Int, parallelism: Int) {
        self.logRounds = logRounds
        self.blockSize = blockSize
        self.parallelism = parallelism
    }
}
