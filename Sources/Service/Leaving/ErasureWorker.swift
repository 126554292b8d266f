import Domain
import EventLog
import FoundationEssentials
import Logging
import NIOConcurrencyHelpers
import PhotoStore
import ReadModels
import Vault

/// Finishes the erasures of accounts, in every process of the service: each is worked on by one of them, and taken over
/// if that one ends. Every step can be repeated.
///
/// First what the account typed goes, in all streams, with its photos and, if they do not stay, its sightings: by its
/// events, in batches. Once requests that were under way must have ended, the bytes of its photos follow, and whatever
/// those requests left.
package struct ErasureWorker: Sendable {
    /// How long requests and mails of an account may still be under way when it is erased: longer than a mail takes to
    /// be sent, and longer than an upload takes from its bytes to its event.
    package static let settling: Duration = .seconds(180)
    /// How long one process has an erasure before another one takes it over.
    private static let claim: Duration = .seconds(30)
    /// Positions that are looked through at a time.
    private static let batch: Int64 = 10_000
    /// How long an erasure waits after a step that failed.
    private static let retryDelays = RetryDelays(first: .seconds(5), times: 2, most: .seconds(60))
    /// Streams that are changed at a time.
    private static let atOnce = 16

    let erasures: Erasures
    let store: StreamStore
    let photos: PhotoQueries
    let guarded: PublicPhotoQueries
    let models: ModelCatchUp
    let bytes: any PhotoStore
    let uploads: UploadFiles
    let caches: PhotoCaches
    /// Where mails are written; nil if they are sent.
    let mails: MailFolder?
    let signer: CommandSigner
    var settling = Self.settling
    let logger: Logger
    /// Photos of erased accounts whose files this process has dropped from its caches; no new ones are made.
    private let forgotten = NIOLockedValueBox<Set<PhotoID>>([])

    /// Works until the task is cancelled.
    package func run(every interval: Duration = .seconds(2)) async {
        await repeating(every: interval, else: "accounts not erased", at: .error, to: logger) { try await work() }
    }

    /// Does what there is to do.
    /// - Throws: what the database, the log or the photo store throws.
    package func work() async throws {
        for account in try await erasures.unfinished() {
            do {
                try await forgetFiles(of: account)
            } catch {
                // Other accounts do not wait for a file that cannot be removed.
                logger.error(
                    "files of an erased account not removed",
                    metadata: ["account": "\(account)", "error": "\(String(reflecting: error))"])
            }
        }
        while let erasure = try await erasures.claimNext(for: Self.claim, settling: settling) {
            do {
                if erasure.scannedTo < erasure.position { try await forgetWords(erasure) }
                if erasure.scannedTo >= erasure.position, erasure.isSettled {
                    try await end(erasure)
                } else {
                    try await erasures.settle(erasure, for: settling)
                }
            } catch {
                try? await erasures.failed(erasure, retryIn: Self.retryDelays.wait(after: erasure.attempts))
                throw error
            }
        }
    }

    /// Removes what this process and its host have beside the database. Other hosts do the same.
    private func forgetFiles(of account: AccountID) async throws {
        try mails?.forget(account.description)
        for upload in try await erasures.uploads(of: account) { uploads.remove(upload) }
        for photo in try await erasures.photos(of: account) where !forgotten.withLockedValue({ $0.contains(photo) }) {
            for rendition in try await state(of: photo)?.digests.renditions ?? [] { await caches.forget(rendition) }
            _ = forgotten.withLockedValue { $0.insert(photo) }
        }
        await caches.removeAbandoned()
    }

    private func state(of photo: PhotoID) async throws -> PhotoState? {
        let stored: Stored<PhotoState>? = try await store.load(photo.uuid)
        return stored?.state
    }
}

// MARK: - Words, photos and sightings

extension ErasureWorker {
    private func forgetWords(_ erasure: Erasure) async throws {
        try await erasures.forget(erasure.account, isLast: false)
        var position = erasure.scannedTo
        while position < erasure.position {
            let upTo = min(position + Self.batch, erasure.position)
            let begun = try await erasures.forgetWords(of: erasure.account, after: position, upTo: upTo)
            try await takeBack(begun, erasure)
            // Another process has taken over.
            guard try await erasures.scanned(erasure, to: upTo, claim: Self.claim) else { return }
            position = upTo
        }
    }

    private func takeBack(_ begun: [Erasures.Begun], _ erasure: Erasure) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, stream) in begun.enumerated() {
                if index >= Self.atOnce { try await group.next() }
                group.addTask { try await takeBack(stream, erasure) }
            }
            try await group.waitForAll()
        }
    }

    private func takeBack(_ stream: Erasures.Begun, _ erasure: Erasure) async throws {
        switch stream {
        case .photo(let photo):
            try await erasures.add(photo, of: erasure.account)
            try await delete(photo, erasure.account)
        case .sighting(let sighting):
            if erasure.sightings == .withdraw { try await withdraw(sighting, erasure.account) }
        }
    }

    private func delete(_ photo: PhotoID, _ account: AccountID) async throws {
        do {
            let _: Outcome<PhotoState> = try await store.change(
                photo.uuid, ifVersions: nil, command("ErasePhoto", photo.uuid, account)
            ) { try PhotoDecider.decide(.delete(by: account), $0.state) }
        } catch PhotoRejection.gone {}
    }

    private func withdraw(_ sighting: SightingID, _ account: AccountID) async throws {
        do {
            let _: Outcome<SightingState> = try await store.change(
                sighting.uuid, ifVersions: nil, command("EraseSighting", sighting.uuid, account)
            ) {
                try SightingDecider.decide(
                    .withdraw(WithdrawSighting(observer: account, reason: .privacy)), $0.state)
            }
        } catch SightingRejection.withdrawn(.privacy) {
        } catch SightingRejection.redacted {}
    }

    /// The system's command: the account decides nothing any more.
    private func command(_ name: String, _ target: UUID, _ account: AccountID) -> CommandIdentity {
        signer.identity(
            account: UUID(bytes: []), command: name, target: target, key: account.uuid, request: .empty, actor: nil)
    }
}

// MARK: - The end

extension ErasureWorker {
    private func end(_ erasure: Erasure) async throws {
        let photos = try await erasures.photos(of: erasure.account)
        // Otherwise, a photo with the same bytes might be overlooked.
        if !photos.isEmpty { try await models.waitForHead(of: [.photos]) }
        let shown = photos.isEmpty ? [:] : try await guardedPhotos()
        for photo in photos {
            if let state = try await state(of: photo) { try await remove(state, photo, erasure, besides: shown) }
            try await erasures.remove(photo, of: erasure.account)
            guard try await erasures.renew(erasure, for: Self.claim) else { return }
        }
        try await forgetFiles(of: erasure.account)
        try await erasures.forget(erasure.account, isLast: true)
        try await erasures.finish(erasure)
        logger.notice(
            "an account has been erased",
            metadata: ["account": "\(erasure.account)", "photos": "\(photos.count)"])
    }

    /// Removes the bytes of a photo, except those that other photos have too, and those that were put since: they
    /// belong to an upload, or the daily sweep removes them.
    /// - Parameter shown: the guarded photos that are public, by the SHA-256 of their renditions.
    private func remove(
        _ state: PhotoState, _ photo: PhotoID, _ erasure: Erasure, besides shown: [String: Set<PhotoID>]
    ) async throws {
        guard let hash = state.upload?.image.perceptualHash else { return }
        let digests = state.digests
        for rendition in digests.renditions { await caches.forget(rendition) }
        let all = Set(digests.originals + digests.renditions)
        let needed = Set(try await photos.using(all.map(\.description), hashedTo: hash, besides: photo))
        let moment = erasure.begunAt.addingTimeInterval(settling / .seconds(2))
        for digest in all where !needed.contains(digest.description) {
            let isShown = shown[digest.description]?.contains { $0 != photo } ?? false
            if !isShown { try await bytes.remove(digest, putBefore: moment) }
        }
    }

    private func guardedPhotos() async throws -> [String: Set<PhotoID>] {
        try await guarded.guardedRenditions().reduce(into: [:]) { shown, found in
            for rendition in found.renditions { shown[rendition.sha256.text, default: []].insert(found.photo) }
        }
    }
}

extension PhotoState {
    /// The bytes of a photo; empty if its upload was redacted.
    fileprivate var digests: (originals: [SHA256Sum], renditions: [SHA256Sum]) {
        guard let image = upload?.image else { return ([], []) }
        let renditions = (image.renditions + self.renditions).map(\.sha256)
        return (
            [SHA256Sum(hexadecimal: image.original.text)].compactMap { $0 },
            renditions.compactMap { SHA256Sum(hexadecimal: $0.text) }
        )
    }
}
