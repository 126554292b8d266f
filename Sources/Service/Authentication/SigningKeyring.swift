package import FoundationEssentials
import JWTKit
import NIOConcurrencyHelpers
package import Vault

/// The signing keys that this process knows.
final class SigningKeyring: Sendable {
    /// A key, ready to sign and check with. Each has a collection of its own: a collection of several would fall
    /// back to one of them for a token that names none or an unknown one.
    struct Held: Sendable {
        let kid: JWKIdentifier
        let createdAt: Date
        let retiresAt: Date
        let collection: JWTKeyCollection
    }

    private struct State {
        /// Newest first.
        var held: [Held] = []
        var loadedAt: Date?
    }

    /// How long a key is known to all processes before it signs, so that every process can verify its tokens.
    private static let settling: Double = 60
    /// Shortest time between two database look-ups for tokens that name an unknown key.
    private static let shortestPause: Double = 1

    private let source: any SigningKeySource
    private let state = NIOLockedValueBox(State())

    init(source: any SigningKeySource) {
        self.source = source
    }

    /// Loads the keys.
    ///
    /// - Returns: true if a key that was known before no longer exists.
    @discardableResult
    func refresh(at now: Date) async throws -> Bool {
        var held: [Held] = []
        for key in try await source.current(at: now) { held.append(await Self.hold(key)) }
        return state.withLockedValue { state in
            let gone = !Set(state.held.map(\.kid)).isSubset(of: held.map(\.kid))
            state.held = held
            state.loadedAt = now
            return gone
        }
    }

    /// The key to sign a token that expires at a time: the newest that has settled, or else the oldest.
    ///
    /// - Throws: ``NoSigningKey``, or what the source throws.
    func signer(at now: Date, forTokenUntil expiry: Date) async throws -> Held {
        if isStale(at: now, after: Self.settling / 2) { try await refresh(at: now) }
        let usable = state.withLockedValue { $0.held }.filter { $0.retiresAt >= expiry }
        let settled = usable.first { $0.createdAt <= now.addingTimeInterval(-Self.settling) }
        guard let key = settled ?? usable.last else { throw NoSigningKey() }
        return key
    }

    /// The key that a token names; nil if it does not exist.
    func verifier(named kid: JWKIdentifier, at now: Date) async throws -> Held? {
        if let key = key(named: kid, at: now) { return key }
        guard isStale(at: now, after: Self.shortestPause) else { return nil }
        try await refresh(at: now)
        return key(named: kid, at: now)
    }

    private func key(named kid: JWKIdentifier, at now: Date) -> Held? {
        state.withLockedValue { $0.held }.first { $0.kid == kid && $0.retiresAt > now }
    }

    /// A clock that was set back counts as a long time.
    private func isStale(at now: Date, after seconds: Double) -> Bool {
        guard let loadedAt = state.withLockedValue({ $0.loadedAt }) else { return true }
        return now.timeIntervalSince(loadedAt).magnitude >= seconds
    }

    private static func hold(_ key: SigningKey) async -> Held {
        let kid = JWKIdentifier(string: key.kid.uuidString.lowercased())
        let collection = JWTKeyCollection()
        await collection.add(hmac: HMACKey(from: key.secret), digestAlgorithm: .sha256, kid: kid)
        return Held(kid: kid, createdAt: key.createdAt, retiresAt: key.retiresAt, collection: collection)
    }
}

/// The source of signing keys.
package protocol SigningKeySource: Sendable {
    /// The keys in force, newest first; creates a new one when it is due.
    func current(at now: Date) async throws -> [SigningKey]
}

extension SigningKeys: SigningKeySource {}
