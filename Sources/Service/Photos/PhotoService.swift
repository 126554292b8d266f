package import Domain
import EventLog
package import FoundationEssentials
import PhotoStore
import ReadModels
import Vault

/// Adds, describes and deletes photos for their owners.
package struct PhotoService: Sendable {
    let store: StreamStore
    let photos: any PhotoStore
    let renderer: PhotoRenderer
    let contents: ContentStore
    let reservations: Reservations
    let quotas: PhotoQuotas
    let limits: PhotoQuotas.Limits
    let verified: VerifiedAccounts
    let queries: PhotoQueries
    let log: LogState
    let accounts: AccountDirectory
    let signer: CommandSigner
    let now: @Sendable () -> Instant
    let turns = FairTurns(Self.turnLimits)
    /// An app may send all photos of a sighting at once. No request waits for longer than a minute.
    static let turnLimits = TurnLimits(atOnce: 2, waiting: 32, grace: .seconds(10), longest: .seconds(60))
    /// One photo of an account at a time looks for earlier ones and is appended, so that it finds the one before it.
    let additions = FairTurns(
        TurnLimits(
            atOnce: 256, waiting: 256, waitingOfClient: 16, runningOfClient: 1, grace: .seconds(10),
            longest: .seconds(60)))
    /// The folder for uploads while they arrive.
    package let spool: PhotoSpool

    /// The name of the command that adds a photo.
    private static let upload = "UploadPhoto"

    /// Adds a photo that has been counted to one of the owner's sightings, unless the sighting has the same bytes
    /// already. When it returns, the original and its renditions are durable. Idempotent: a retry with the same key and
    /// bytes returns the first outcome.
    /// - Throws: ``SentPhotoRejection``, ``FairTurns/Rejection``, ``ModelBehind``, ``CommandError``,
    ///   `PhotoRejection`, `SightingRejection`; what the database or the store throws.
    package func add(
        _ file: SpooledFile, to sighting: SightingID, by account: AccountID, key: UUID
    ) async throws -> SentPhoto {
        let command = signer.identity(
            account: account.uuid, command: Self.upload, target: sighting.uuid, key: key,
            request: CanonicalText(digest: file.digest.bytes), actor: account.uuid)
        let id = CommandID.stream(kind: StreamKind.photo.rawValue, of: command.id)
        if try await store.load(id, as: PhotoState.self) != nil {
            let earlier: Outcome<PhotoState> = try await store.begin(id, command) { throw CommandError.notFound }
            _ = try await openSighting(sighting, of: account)
            if earlier.current.state.status == .deleted { throw CommandError.gone }
            return SentPhoto(photo: try await photo(earlier.stored), isKnown: false)
        }
        let licence = try await accounts.status(of: account).licence
        let before = try await room(in: sighting, of: account)
        if let same = before.same(as: file.digest) {
            // A request with the same key may just have added it.
            if same.id == id { return try await add(file, to: sighting, by: account, key: key) }
            return SentPhoto(photo: try await photo(same), isKnown: true)
        }
        guard !before.isFull else { throw SentPhotoRejection.tooMany }
        let (image, sought, capture) = try await render(file, by: account)
        return try await additions.take(by: account.description) {
            try await append(id, command, file.digest, to: sighting, by: account) { ordinal in
                UploadPhoto(
                    sighting: sighting, observer: account, ordinal: ordinal, image: image, licence: licence,
                    capture: capture.json, resembles: try await alike(sought))
            }
        }
    }

    /// Adds a rendered photo, unless its sighting has got the same bytes meanwhile.
    /// - Parameter upload: the command, for an ordinal that no other photo of the sighting has.
    private func append(
        _ id: UUID, _ command: CommandIdentity, _ digest: SHA256Sum, to sighting: SightingID, by account: AccountID,
        upload: (Int) async throws -> UploadPhoto
    ) async throws -> SentPhoto {
        while true {
            do {
                let outcome: Outcome<PhotoState> = try await store.begin(id, command) {
                    let others = try await room(in: sighting, of: account)
                    if let same = others.same(as: digest) { throw KnownPhoto(stored: same) }
                    guard !others.isFull else { throw SentPhotoRejection.tooMany }
                    return try PhotoDecider.decide(.upload(try await upload(others.next)), PhotoState())
                }
                return SentPhoto(photo: try await photo(outcome.stored), isKnown: false)
            } catch CommandError.ordinalTaken {
                continue
            } catch let known as KnownPhoto {
                return SentPhoto(photo: try await photo(known.stored), isKnown: true)
            }
        }
    }

    /// The photos in the log that a new one is alike to. The newest ones may be those that it is a copy of.
    private func alike(_ photo: SoughtPhoto) async throws -> [PhotoID] {
        try await log.require(try await log.current().position, of: [.photos])
        return try await queries.alike(photo, limit: Likeness.limit)
    }

    /// Rejects a photo for which its sighting has no room, before its bytes arrive.
    /// - Parameter length: the number of its bytes; nil if unknown. One that is as long as a photo of the sighting may
    ///   be the same.
    /// - Returns: false for a retry, whose photo is there already.
    /// - Throws: ``SentPhotoRejection``, ``CommandError``; what the database throws.
    func isNew(in sighting: SightingID, length: Int?, by account: AccountID, key: UUID) async throws -> Bool {
        let command = CommandID.derive(
            account: account.uuid, command: Self.upload, target: sighting.uuid, key: key)
        let id = CommandID.stream(kind: StreamKind.photo.rawValue, of: command)
        if try await store.load(id, as: PhotoState.self) != nil { return false }
        let others = try await room(in: sighting, of: account)
        guard !others.isFull || others.mayHave(length) else { throw SentPhotoRejection.tooMany }
        return true
    }

    /// The photos of one of the owner's sightings.
    private func room(in sighting: SightingID, of account: AccountID) async throws -> SightingPhotos {
        _ = try await openSighting(sighting, of: account)
        return try await SightingPhotos.read(of: sighting, store, reservations)
    }

    /// One of the owner's sightings, to which photos may be added.
    private func openSighting(_ id: SightingID, of account: AccountID) async throws -> SightingState {
        guard let stored: Stored<SightingState> = try await store.load(id.uuid),
            stored.state.isOwn(account)
        else { throw CommandError.notFound }
        if stored.state.status == .withdrawn { throw CommandError.withdrawn }
        if stored.state.isRedacted { throw CommandError.gone }
        return stored.state
    }

    /// Renders a file when the client's turn comes.
    private func render(
        _ file: SpooledFile, by account: AccountID
    ) async throws -> (PhotoImage, SoughtPhoto, PhotoCapture) {
        let isVerified = try await verified.contains(account)
        return try await turns.take(by: TurnClient.address, isBehind: !isVerified) {
            try await keep(file, of: account)
        }
    }

    /// Renders a file and keeps it with its renditions.
    private func keep(
        _ file: SpooledFile, of account: AccountID
    ) async throws -> (PhotoImage, SoughtPhoto, PhotoCapture) {
        let rendered: RenderedPhoto
        do {
            rendered = try await renderer.render(file.path, into: file.folder)
        } catch let error as RenderError {
            throw SentPhotoRejection(error) ?? error
        }
        try await photos.put(file.path, as: file.digest)
        try await keep(rendered)
        return (try PhotoImage(rendered, file), try SoughtPhoto(rendered, of: account), PhotoCapture(rendered))
    }

    /// Keeps the renditions of a photo.
    func keep(_ rendered: RenderedPhoto) async throws {
        for rendition in rendered.renditions {
            guard let digest = SHA256Sum(hexadecimal: rendition.sha256) else {
                throw RenderError.failed("invalid digest")
            }
            try await photos.put(rendition.path, as: digest)
        }
    }

    /// Changes the alternative text or the licence.
    /// - Parameter altText: a new text, or cleared.
    /// - Throws: ``CommandError``, `PhotoRejection`; what the database throws.
    package func describe(
        _ id: PhotoID, altText: Change<AltText>, licence: Licence?, ifVersions: Set<Int>?, by account: AccountID,
        key: UUID
    ) async throws -> OwnedPhoto {
        let command = signer.identity(
            account: account.uuid, command: "DescribePhoto", target: id.uuid, ifVersions: ifVersions, key: key,
            request: CanonicalText(altText.map(\.typed)) + CanonicalText(licence?.rawValue), actor: account.uuid)
        let outcome: Outcome<PhotoState> = try await store.change(id.uuid, ifVersions: ifVersions, command) { stored in
            try await checkSighting(of: stored)
            let kept = try await contents.content(of: id.uuid)[.altText].flatMap { try? AltText($0) }
            return try PhotoDecider.decide(
                .describe(
                    DescribePhoto(
                        observer: account, licence: licence, kept: kept, altText: altText.applied(to: kept))),
                stored.state)
        } mayAct: {
            Self.isOwn($0, of: account)
        }
        return try await photo(outcome.stored)
    }

    /// Deletes a photo, so that it is gone from every response.
    /// - Returns: the position of the deletion.
    /// - Throws: ``CommandError``, `PhotoRejection`; what the database throws.
    package func delete(
        _ id: PhotoID, ifVersions: Set<Int>?, by account: AccountID, key: UUID
    ) async throws -> Int64 {
        let command = signer.identity(
            account: account.uuid, command: "DeletePhoto", target: id.uuid, ifVersions: ifVersions, key: key,
            request: .empty, actor: account.uuid)
        let outcome: Outcome<PhotoState> = try await store.change(id.uuid, ifVersions: ifVersions, command) {
            try PhotoDecider.decide(.delete(by: account), $0.state)
        } mayAct: {
            Self.isOwn($0, of: account)
        }
        return outcome.stored.position
    }

    /// One of the owner's photos.
    /// - Throws: ``CommandError/notFound``, ``CommandError/gone``; what the database throws.
    package func photo(_ id: PhotoID, of account: AccountID) async throws -> OwnedPhoto {
        try await photo(try await own(id, of: account))
    }

    func own(_ id: PhotoID, of account: AccountID) async throws -> Stored<PhotoState> {
        guard let stored: Stored<PhotoState> = try await store.load(id.uuid),
            Self.isOwn(stored.state, of: account)
        else { throw CommandError.notFound }
        return stored
    }

    private static func isOwn(_ photo: PhotoState, of account: AccountID) -> Bool {
        photo.upload?.observer == account
    }

    /// - Throws: as ``sighting(of:)``.
    func photo(_ stored: Stored<PhotoState>) async throws -> OwnedPhoto {
        let sighting = try await sighting(of: stored)
        let content = try await contents.content(of: stored.id, asOf: stored.position)
        guard
            let photo = OwnedPhoto(
                stored, altText: content[.altText], capture: content[.capture],
                sighting: sighting?.state.record?.details)
        else { throw CommandError.gone }
        return photo
    }

    /// The present state of a photo's sighting.
    /// - Throws: ``CommandError/gone`` for a photo that was deleted or redacted, and if its sighting was withdrawn for
    ///   privacy or redacted; what the database throws.
    func sighting(of photo: Stored<PhotoState>) async throws -> Stored<SightingState>? {
        let sighting: Stored<SightingState>? = try await store.load(try photo.present.sighting.uuid)
        if sighting?.state.hasLostPhotos == true { throw CommandError.gone }
        return sighting
    }

    /// Rejects a change if the photo's sighting is withdrawn or gone.
    /// - Throws: ``CommandError/withdrawn`` if it was withdrawn as a mistake; as ``sighting(of:)``.
    func checkSighting(of photo: Stored<PhotoState>) async throws {
        if try await sighting(of: photo)?.state.status == .withdrawn { throw CommandError.withdrawn }
    }
}

/// The outcome of sending a photo.
package struct SentPhoto: Sendable {
    package let photo: OwnedPhoto
    /// Whether the sighting had the same bytes before, so that nothing was added.
    package let isKnown: Bool
}

/// The sighting has the same bytes already.
private struct KnownPhoto: Error {
    let stored: Stored<PhotoState>
}

extension Stored<PhotoState> {
    /// The upload of a photo that still exists.
    /// - Throws: ``CommandError/gone`` for a photo that was deleted or redacted.
    var present: PhotoUploaded {
        get throws(CommandError) {
            guard state.status != .deleted, !state.isRedacted, let upload = state.upload else { throw .gone }
            return upload
        }
    }
}

extension SentPhotoRejection {
    fileprivate init?(_ error: RenderError) {
        switch error {
        case .unsupportedType: self = .unsupportedType
        case .broken, .limitExceeded: self = .unreadable
        case .tooManyPixels: self = .tooManyPixels
        case .tooManyParts: self = .tooManyParts
        case .tooSlow: self = .busy
        case .failed: return nil
        }
    }
}

extension PhotoImage {
    fileprivate init(_ rendered: RenderedPhoto, _ file: SpooledFile) throws {
        self.init(
            original: try Fingerprint(file.digest.description), type: try ImageType(word: rendered.mediaType),
            width: rendered.width, height: rendered.height, bytes: file.size,
            renditions: try [PhotoRendition](rendered), perceptualHash: try PerceptualHash(rendered.perceptualHash),
            likeness: try [LikenessHash](rendered))
    }
}

extension SoughtPhoto {
    fileprivate init(_ rendered: RenderedPhoto, of account: AccountID) throws {
        self.init(
            observer: account,
            parts: try rendered.likeness.sought.map { try Part($0) })
    }
}

extension SoughtPhoto.Part {
    /// The child process has read untrusted bytes: what it returns is checked, too.
    fileprivate init(_ part: Likeness.Part) throws {
        guard (0..<(1 << Likeness.keyLength)).contains(part.weak), part.weak.nonzeroBitCount <= Likeness.weakBits
        else { throw RenderError.failed("invalid likeness") }
        self.init(hash: try LikenessHash(part.hash), weak: part.weak)
    }
}

extension [LikenessHash] {
    init(_ rendered: RenderedPhoto) throws {
        self = try rendered.likeness.stored.map { try LikenessHash($0) }
    }
}

extension [PhotoRendition] {
    init(_ rendered: RenderedPhoto) throws {
        self = try rendered.renditions.map {
            PhotoRendition(
                name: try RenditionName(word: $0.name), sha256: try Fingerprint($0.sha256), width: $0.width,
                height: $0.height, bytes: $0.bytes)
        }
    }
}

extension PhotoCapture {
    fileprivate init(_ rendered: RenderedPhoto) {
        self.init(
            capturedAt: rendered.capturedAt.flatMap { try? CaptureTime($0) },
            capturedAtTag: rendered.capturedAtTag.flatMap(CaptureTag.init(rawValue:)))
        if let latitude = rendered.latitude, let longitude = rendered.longitude {
            coordinate = try? Coordinate(latitude: latitude, longitude: longitude)
        }
    }
}
