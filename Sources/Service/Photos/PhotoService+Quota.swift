package import Domain
package import FoundationEssentials
import NIOConcurrencyHelpers
package import NIOCore
import PhotoStore
import Vault

/// The use of a quota by a photo that is about to arrive.
struct PhotoCount: Sendable {
    let account: AccountID
    let bytes: Int
    let day: CivilDate
}

extension PhotoService {
    /// Receives a photo in one request, and adds it. It counts from the beginning, with the bytes that it announces; if
    /// it does not arrive as a whole, with those that have arrived.
    /// - Parameter length: the number of bytes; nil if it is unknown.
    /// - Throws: as ``add(_:to:by:key:)``; `PhotoSpool.TooLarge`, ``DiskSpace/Low``; what reading the body throws.
    package func receive<Body: AsyncSequence & Sendable>(
        _ body: Body, length: Int?, to sighting: SightingID, by account: AccountID, key: UUID
    ) async throws -> OwnedPhoto where Body.Element == ByteBuffer {
        let count = try await count(length, in: sighting, by: account, key: key)
        let arrived = NIOLockedValueBox(0)
        do {
            let counted = body.map { chunk in
                arrived.withLockedValue { $0 += chunk.readableBytes }
                return chunk
            }
            let photo = try await spool.receive(counted) { try await add($0, to: sighting, by: account, key: key) }
            try await settle(count, arrived: arrived.withLockedValue(\.self))
            return photo
        } catch {
            // The error that the client is told of is the first one.
            try? await settle(count, arrived: arrived.withLockedValue(\.self), after: error)
            throw error
        }
    }

    /// Counts a photo that is about to arrive.
    /// - Returns: nil for a retry, which counts as nothing.
    private func count(
        _ length: Int?, in sighting: SightingID, by account: AccountID, key: UUID
    ) async throws -> PhotoCount? {
        try spool.disk.check()
        guard try await isNew(in: sighting, by: account, key: key) else { return nil }
        let count = PhotoCount(account: account, bytes: length ?? PhotoSpool.mostBytes, day: now().date())
        guard try await quotas.use(account, bytes: count.bytes, on: count.day, of: try await share(of: account)) else {
            throw quotaUsedUp
        }
        return count
    }

    /// Gives back what has not arrived, or everything if the service is to blame.
    private func settle(_ count: PhotoCount?, arrived: Int, after error: (any Error)? = nil) async throws {
        let isOurs = error is DiskSpace.Low || error is FairTurns.Full || error as? PhotoRefusal == .busy
        guard let count, isOurs || arrived < count.bytes else { return }
        try await quotas.giveBack(
            photos: isOurs ? 1 : 0, bytes: isOurs ? count.bytes : count.bytes - arrived, to: count.account,
            on: count.day)
    }

    /// The limits of an account.
    func share(of account: AccountID) async throws -> PhotoQuotas.Share {
        limits.share(isVerified: try await verified.contains(account))
    }

    var quotaUsedUp: PhotoRefusal { .quota(secondsLeft: now().secondsLeftOfDay) }
}
