package import Domain
import EventLog
package import FoundationEssentials
package import Logging
package import NIOCore
import Vault

/// Receives photos in several requests. The bytes that have arrived are kept for a day, across restarts.
///
/// Source: draft-ietf-httpbis-resumable-upload-14.
package struct PhotoUploads: Sendable {
    /// Bytes for an upload.
    package struct Part: Sendable {
        /// The number of bytes that have arrived, according to the client.
        package var offset: Int
        /// Whether these are the last ones.
        package var isLast: Bool
        /// The total number of bytes, if the request has it.
        package var length: Int?

        package init(offset: Int, isLast: Bool, length: Int? = nil) {
            (self.offset, self.isLast, self.length) = (offset, isLast, length)
        }
    }

    /// The part of an upload that has arrived.
    package struct Progress: Hashable, Sendable {
        package let offset: Int
        package let length: Int?
        package let isComplete: Bool
    }

    /// How long an upload is kept: a day.
    package static let seconds = Uploads.seconds

    /// The outcome of a part.
    package enum Received: Sendable {
        /// More bytes are to come.
        case part(Progress)
        /// The photo that the last part completed.
        case photo(SentPhoto)
    }

    let uploads: Uploads
    let files: UploadFiles
    let photos: PhotoService
    let now: @Sendable () -> Instant

    /// Begins an upload for one of the owner's sightings. From now on it counts towards the account's quota of the day,
    /// with the bytes that it announces, else with as many as a photo may have.
    /// - Returns: its id.
    /// - Throws: ``SentPhotoRejection``, ``CommandError``, ``DiskSpace/Rejection``; what the database or the disk
    ///   throws.
    package func begin(
        for sighting: SightingID, length: Int?, by account: AccountID, key: UUID
    ) async throws -> UUID {
        try files.disk.check()
        _ = try await photos.isNew(in: sighting, length: length, by: account, key: key)
        let share = try await photos.share(of: account)
        let upload = Upload(id: UUID(), account: account, sighting: sighting, key: key, length: length)
        try files.make(upload.id)
        do {
            try await reserve(upload, of: share)
        } catch {
            files.remove(upload.id)
            throw error
        }
        return upload.id
    }

    private func reserve(_ upload: Upload, of share: PhotoQuotas.Share) async throws {
        let bytes = upload.length ?? PhotoSpool.mostBytes
        switch try await uploads.begin(upload, countingAs: bytes, of: share, at: now()) {
        case .begun(let ended):
            // Where it fails, the next removal does it.
            for other in ended { try? await settle(other) }
        case .tooMany: throw SentPhotoRejection.tooManyUploads
        case .quota: throw photos.quotaRejection
        case .full: throw SentPhotoRejection.uploadsFull
        }
    }

    /// The part that has arrived. Ends requests that are still writing.
    /// - Throws: ``CommandError/notFound``, ``UploadRejection/ended``.
    package func progress(_ id: UUID, of account: AccountID) async throws -> Progress {
        let upload = try await own(id, of: account)
        if upload.isComplete { return Progress(offset: upload.length ?? 0, length: upload.length, isComplete: true) }
        _ = files.takeTurn(id)
        guard let size = files.size(of: id) else { throw CommandError.notFound }
        return Progress(offset: size, length: upload.length, isComplete: false)
    }

    /// Receives a part. The last one adds the photo, under the key of the request that began the upload.
    /// - Throws: ``UploadRejection``, ``SentPhotoRejection``, ``CommandError``, ``DiskSpace/Rejection``,
    ///   `PhotoRejection`; what the database, the disk, the store or reading the body throws.
    package func receive<Body: AsyncSequence>(
        _ part: Part, _ body: Body, of id: UUID, by account: AccountID
    ) async throws -> Received where Body.Element == ByteBuffer {
        let upload = try await own(id, of: account)
        guard !upload.isComplete else { throw UploadRejection.completed }
        // Checked before taking the turn: a request with a wrong offset must not end the one that is writing.
        _ = try size(of: id, before: part)
        // The first part was checked when the upload began.
        if part.offset > 0 { try await checkRoom(for: upload) }
        let turn = files.takeTurn(id)
        do {
            return try await receive(part, body, of: upload, in: turn)
        } catch is UploadFiles.Superseded {
            _ = try await own(id, of: account)
            throw UploadRejection.superseded
        }
    }

    private func receive<Body: AsyncSequence>(
        _ part: Part, _ body: Body, of upload: Upload, in turn: UploadFiles.Turn
    ) async throws -> Received where Body.Element == ByteBuffer {
        var size = try size(of: upload.id, before: part)
        let length = try await length(of: upload, part)
        for try await chunk in body {
            let offset = size
            size += chunk.readableBytes
            guard size <= length ?? PhotoSpool.mostBytes else { try await tooLong(upload, length) }
            try await files.append(chunk, at: offset, in: turn)
        }
        if length == nil { try await check(size, isAll: part.isLast, of: upload) }
        guard part.isLast else { return .part(Progress(offset: size, length: length, isComplete: false)) }
        guard size == length ?? size else { throw UploadRejection.inconsistentLength }
        return .photo(try await finish(upload, size: size, in: turn))
    }

    /// Ends an upload, and removes its bytes. What has arrived of them still counts towards the quota of the day.
    /// - Throws: ``CommandError/notFound``, ``UploadRejection/ended``.
    package func cancel(_ id: UUID, of account: AccountID) async throws {
        let upload = try await own(id, of: account)
        // No request adds bytes after they are counted.
        _ = files.takeTurn(id)
        try await end(upload)
    }

    /// Removes expired uploads every ten minutes until the task is cancelled.
    package func run(logger: Logger) async {
        await repeating(every: .seconds(600), else: "old uploads not removed", at: .warning, to: logger) {
            try await removeExpired()
        }
    }

    /// Removes expired uploads, which requests no longer find, and settles those that other processes ended.
    /// - Parameter age: how old a file must be, in seconds; that of an upload that begins is there before its row.
    func removeExpired(olderThan age: Double = 60) async throws {
        try await uploads.forgetExpired(at: now())
        let kept = files.unchanged(since: Date(timeIntervalSinceNow: -age))
        for upload in try await uploads.gone(of: kept) { try await settle(upload) }
    }

    private func own(_ id: UUID, of account: AccountID) async throws -> Upload {
        guard let upload = try await uploads.upload(id, of: account, at: now()) else { throw CommandError.notFound }
        guard !upload.isEnded else { throw UploadRejection.ended }
        return upload
    }

    /// The number of bytes that have arrived, which must be the offset of a part.
    private func size(of id: UUID, before part: Part) throws -> Int {
        guard let size = files.size(of: id) else { throw CommandError.notFound }
        guard part.offset == size else {
            throw UploadRejection.mismatchingOffset(expected: size, provided: part.offset)
        }
        return size
    }

    private func length(of upload: Upload, _ part: Part) async throws -> Int? {
        guard let length = part.length else { return upload.length }
        guard length == upload.length ?? length, length >= part.offset else { throw UploadRejection.inconsistentLength }
        guard length <= PhotoSpool.mostBytes else { throw PhotoSpool.TooLarge() }
        if upload.length == nil, try await !uploads.setLength(length, of: upload.id) {
            _ = try await own(upload.id, of: upload.account)
            throw UploadRejection.inconsistentLength
        }
        return length
    }

    /// Compares what has arrived with the length that another request may have announced meanwhile, as which the
    /// upload counts. More than that end it.
    private func check(_ size: Int, isAll: Bool, of upload: Upload) async throws {
        if isAll, try await uploads.setLength(size, of: upload.id) { return }
        let length = try await own(upload.id, of: upload.account).length ?? size
        if size > length { try await end(upload) }
        guard !isAll, size <= length else { throw UploadRejection.inconsistentLength }
    }

    /// More bytes than announced are rejected; without an announcement, more than a photo may have also end the upload.
    private func tooLong(_ upload: Upload, _ length: Int?) async throws -> Never {
        guard length == nil else { throw UploadRejection.inconsistentLength }
        try await end(upload)
        throw PhotoSpool.TooLarge()
    }

    private func checkRoom(for upload: Upload) async throws {
        try await endingIfRejected(upload) {
            _ = try await photos.isNew(
                in: upload.sighting, length: upload.length, by: upload.account, key: upload.key)
        }
    }

    /// - Parameter size: the number of bytes that were appended. A file of another size was also written by another
    ///   process that has the same folder; it is thrown away.
    private func finish(_ upload: Upload, size: Int, in turn: UploadFiles.Turn) async throws -> SentPhoto {
        try await endingIfRejected(upload) {
            let sent = try await files.finish(turn) { file in
                guard file.size == size else {
                    try await end(upload)
                    throw UploadRejection.inconsistentLength
                }
                return try await photos.add(file, to: upload.sighting, by: upload.account, key: upload.key)
            }
            guard let sent else { throw SentPhotoRejection.busy }
            try await uploads.complete(upload.id, countingAsNothing: sent.isKnown)
            files.remove(upload.id)
            return sent
        }
    }

    /// Ends the upload if its photo is rejected, or its sighting is gone; if the service fails, the part can be sent
    /// again.
    private func endingIfRejected<Value>(
        _ upload: Upload, _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch let rejection as SentPhotoRejection where rejection.isFinal {
            try await end(upload)
            throw rejection
        } catch let error as CommandError where error.isOfGone {
            try await end(upload)
            throw error
        }
    }

    /// Removes the bytes of an upload that was ended to make room, and counts it as what had arrived. If its bytes are
    /// elsewhere, the process that has them does it.
    private func settle(_ upload: UUID) async throws {
        // No request adds bytes after they are counted.
        _ = files.takeTurn(upload)
        if let arrived = files.size(of: upload) { try await uploads.count(upload, as: arrived) }
        files.remove(upload)
    }

    private func end(_ upload: Upload) async throws {
        try await uploads.end(upload.id, arrived: files.size(of: upload.id))
        files.remove(upload.id)
    }
}

/// Why a part of an upload is rejected.
package enum UploadRejection: Error, Equatable, Sendable {
    /// Another number of bytes has arrived.
    case mismatchingOffset(expected: Int, provided: Int)
    /// The photo has been added.
    case completed
    /// The lengths that requests announced differ, or more or fewer bytes arrived.
    case inconsistentLength
    /// A later request about the upload has arrived.
    case superseded
    /// It was ended to make room for others.
    case ended
}

extension CommandError {
    /// Whether what the command is about is gone.
    fileprivate var isOfGone: Bool {
        switch self {
        case .notFound, .withdrawn, .gone, .callerErased: true
        case .keyReused, .stale, .emailTaken, .ordinalTaken, .unavailable, .rejected: false
        }
    }
}
