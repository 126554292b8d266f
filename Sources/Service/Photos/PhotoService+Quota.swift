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
    /// it does not arrive as a whole, with those that have arrived; if the sighting has it already, as nothing.
    /// - Parameter length: the number of bytes; nil if it is unknown.
    /// - Throws: as ``add(_:to:by:key:)``; `PhotoSpool.TooLarge`, ``DiskSpace/Rejection``; what reading the body
    ///   throws.
    package func receive<Body: AsyncSequence & Sendable>(
        _ body: Body, length: Int?, to sighting: SightingID, by account: AccountID, key: UUID
    ) async throws -> SentPhoto where Body.Element == ByteBuffer {
        let count = try await count(length, in: sighting, by: account, key: key)
        let arrived = NIOLockedValueBox(0)
        let counted = body.map { chunk in
            arrived.withLockedValue { $0 += chunk.readableBytes }
            return chunk
        }
        do {
            let sent = try await spool.receive(counted) { try await add($0, to: sighting, by: account, key: key) }
            await settle(count, arrived: arrived.withLockedValue(\.self), isFree: sent.isKnown)
            return sent
        } catch {
            await settle(count, arrived: arrived.withLockedValue(\.self), isFree: Self.isOurs(error))
            throw error
        }
    }

    /// Counts a photo that is about to arrive.
    /// - Returns: nil for a retry, which counts as nothing.
    private func count(
        _ length: Int?, in sighting: SightingID, by account: AccountID, key: UUID
    ) async throws -> PhotoCount? {
        try spool.disk.check()
        guard try await isNew(in: sighting, length: length, by: account, key: key) else { return nil }
        let count = PhotoCount(account: account, bytes: length ?? PhotoSpool.mostBytes, day: now().date())
        guard try await quotas.use(account, bytes: count.bytes, on: count.day, of: try await share(of: account)) else {
            throw quotaRejection
        }
        return count
    }

    /// Gives back what has not arrived, or everything. It is tried once: if the outcome is unknown, a second try could
    /// give back what other photos count.
    private func settle(_ count: PhotoCount?, arrived: Int, isFree: Bool) async {
        guard let count, isFree || arrived < count.bytes else { return }
        // In a task of its own: a statement of a cancelled one is not sent.
        await Task { [quotas] in
            try? await quotas.giveBack(
                photos: isFree ? 1 : 0, bytes: isFree ? count.bytes : count.bytes - arrived, to: count.account,
                on: count.day)
        }.value
    }

    /// Whether the service is to blame for an error, so that the response is 503.
    package static func isOurs(_ error: any Error) -> Bool {
        switch error {
        case is DiskSpace.Rejection, is FairTurns.Rejection, is CancellationError, is ModelBehind,
            SentPhotoRejection.busy, SentPhotoRejection.uploadsFull, CommandError.unavailable:
            true
        default: PassingTrouble.isPassing(error)
        }
    }

    /// The limits of an account.
    func share(of account: AccountID) async throws -> PhotoQuotas.Share {
        limits.share(isVerified: try await verified.contains(account))
    }

    var quotaRejection: SentPhotoRejection { .quota(secondsLeft: now().secondsLeftOfDay) }
}
