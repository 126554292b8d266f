import Bytes
import Crypto
package import Domain
import FoundationEssentials
import NIOConcurrencyHelpers

/// Encrypts values that clients carry for the service: AES-256-GCM, with a random nonce under a key for each UTC day.
///
/// A sealed value is the day, the nonce, the ciphertext and the tag. A key wears out after 2³² random nonces, so each
/// day has one of its own, derived (HKDF, RFC 5869) from the key of the log's head row, which every process has and
/// which never changes: values of any past day can be opened.
package struct DailySeal: Sendable {
    /// Bytes that sealing adds to a value: day, nonce and tag.
    package static let overhead = 4 + 12 + 16

    private let key: SymmetricKey
    private let purpose: [UInt8]
    /// The key of the day that was sealed for last.
    private let latest = NIOLockedValueBox<DayKey?>(nil)

    private struct DayKey: Sendable {
        let day: [UInt8]
        let key: SymmetricKey
    }

    /// - Parameters:
    ///   - key: that of the log's head row.
    ///   - purpose: the kind of value; what is sealed for one purpose cannot be opened for another.
    package init(key: [UInt8], purpose: String) {
        self.key = SymmetricKey(data: key)
        self.purpose = Array(purpose.utf8)
    }

    /// - Parameter context: what the value belongs to: authenticated, and not part of the sealed value.
    /// - Throws: `CryptoKitError`, only when the library fails.
    package func seal(_ value: [UInt8], context: [UInt8], at now: Instant) throws -> [UInt8] {
        let day = UInt32(clamping: now.date().dayNumber).bigEndianBytes
        return try seal(value, day, sealingKey(of: day), AES.GCM.Nonce(), context)
    }

    /// The same each time, for what is a part of answers that must not differ from themselves. The nonce is a keyed
    /// hash of value and context, so no two values share one (but for chance, after 2⁴⁸ of them); the day is the first,
    /// 1970-01-01.
    /// - Throws: `CryptoKitError`, only when the library fails.
    package func sealRepeatably(_ value: [UInt8], context: [UInt8]) throws -> [UInt8] {
        let day = UInt32.zero.bigEndianBytes
        let hash = HMAC<SHA256>.authenticationCode(
            for: UInt32(clamping: context.count).bigEndianBytes + context + value,
            using: HKDF<SHA256>.deriveKey(inputKeyMaterial: key, info: purpose + [1], outputByteCount: 32))
        return try seal(value, day, derivedKey(of: day), AES.GCM.Nonce(data: Array(hash.prefix(12))), context)
    }

    private func seal(
        _ value: [UInt8], _ day: [UInt8], _ key: SymmetricKey, _ nonce: AES.GCM.Nonce, _ context: [UInt8]
    ) throws -> [UInt8] {
        let box = try AES.GCM.seal(value, using: key, nonce: nonce, authenticating: context + day)
        var sealed = day
        sealed.append(contentsOf: box.nonce)
        sealed.append(contentsOf: box.ciphertext)
        sealed.append(contentsOf: box.tag)
        return sealed
    }

    /// The value and the day on which it was sealed; nil for anything that was not sealed with this key, purpose and
    /// context.
    package func open(_ sealed: [UInt8], context: [UInt8]) -> (value: [UInt8], day: CivilDate)? {
        guard sealed.count >= Self.overhead else { return nil }
        let day = Array(sealed.prefix(4))
        // Until the value is authenticated the day is the sender's word: its key is not remembered.
        let known = latest.withLockedValue { $0?.day == day ? $0?.key : nil }
        guard let number = UInt32(bigEndianBytes: day),
            let box = try? AES.GCM.SealedBox(combined: sealed.dropFirst(4)),
            let value = try? AES.GCM.open(box, using: known ?? derivedKey(of: day), authenticating: context + day)
        else { return nil }
        return (Array(value), CivilDate(dayNumber: Int(number)))
    }

    private func sealingKey(of day: [UInt8]) -> SymmetricKey {
        if let known = latest.withLockedValue({ $0 }), known.day == day { return known.key }
        let key = derivedKey(of: day)
        latest.withLockedValue { $0 = DayKey(day: day, key: key) }
        return key
    }

    private func derivedKey(of day: [UInt8]) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(inputKeyMaterial: key, info: purpose + [0] + day, outputByteCount: 32)
    }
}
