import Foundation
import NIOConcurrencyHelpers
import Service

@testable import Vault

/// Signing keys as a test lays them down; shared by several "processes".
final class KeysInMemory: SigningKeySource {
    private let keys = NIOLockedValueBox<[SigningKey]>([])
    private let asked = NIOLockedValueBox(0)

    /// The number of look-ups.
    var lookups: Int { asked.withLockedValue { $0 } }

    func current(at now: Date) async throws -> [SigningKey] {
        asked.withLockedValue { $0 += 1 }
        return keys.withLockedValue { $0 }.filter { $0.retiresAt > now }
    }

    /// Lays down a key that serves from a moment on; the newest comes first.
    @discardableResult
    func add(at moment: Date, retires: Date) -> SigningKey {
        let secret = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
        let key = SigningKey(kid: UUID(), secret: secret, createdAt: moment, retiresAt: retires)
        keys.withLockedValue { $0.insert(key, at: 0) }
        return key
    }

    func remove(_ kid: UUID) {
        keys.withLockedValue { $0.removeAll { $0.kid == kid } }
    }
}
