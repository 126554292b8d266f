package import Domain
import Exchange
import FoundationEssentials
package import NIOCore
import PhotoStore
import Postgres
import ReadModels
import Vault

/// The forms in which an account gets its data: those of the API.
package struct OwnDataForms: Sendable {
    package typealias Form<Value> = @Sendable (Value) -> [UInt8]

    let account: Form<AccountProfile>
    let finding: Form<Finding>
    let photo: Form<OwnedPhoto>
    let favourite: Form<NamedFavourite>
    let notification: Form<AccountNotification>
    let export: Form<ExportView>
    let text: Form<WrittenText>
    let session: Form<OpenSession>
    let key: Form<ApiKey>

    package init(
        account: @escaping Form<AccountProfile>, finding: @escaping Form<Finding>, photo: @escaping Form<OwnedPhoto>,
        favourite: @escaping Form<NamedFavourite>, notification: @escaping Form<AccountNotification>,
        export: @escaping Form<ExportView>, text: @escaping Form<WrittenText>, session: @escaping Form<OpenSession>,
        key: @escaping Form<ApiKey>
    ) {
        (self.account, self.finding, self.photo) = (account, finding, photo)
        (self.favourite, self.notification, self.export) = (favourite, notification, export)
        (self.text, self.session, self.key) = (text, session, key)
    }
}

/// Everything that an account has, as a zip file that is made while it is sent: nothing is stored.
///
/// It is read page by page, as any client would: what is changed meanwhile may be in one part and not in another.
package struct OwnData: Sendable {
    /// Why a file is not made now.
    package enum Rejection: Error, Hashable, Sendable {
        /// Another file for the account is being made.
        case running
        /// As many files are being made as this process makes at a time, or the client's own one, which is then the
        /// cause.
        case busy(isOwn: Bool)
    }

    /// A file that may be made.
    package struct Archive: Sendable {
        fileprivate let profile: AccountProfile
        fileprivate let hasPhotos: Bool
        fileprivate let turn: OwnDataTurns.Turn
    }

    private static let plan = FindingReader.lists.with(InboxFilling.plan).with(ExportQueries.plan)
    /// Items read at a time.
    private static let page = 200
    /// Positions that are looked through for texts at a time.
    private static let positions = 10_000
    /// The longest time for one file.
    private static let longest: Duration = .seconds(3_600)

    let reads: Reads
    let accounts: AccountService
    let reader: FindingReader
    let favourites: FavouriteService
    let notifications: NotificationService
    let exports: ExportReader
    let texts: WrittenTexts
    let sessions: Sessions
    let keys: AccountKeys
    let photoStore: any PhotoStore
    let now: @Sendable () -> Instant
    let turns = OwnDataTurns(atOnce: Self.atOnce)
    /// One search for texts at a time: it reads the log from the account's first event on.
    let searches = FairTurns(TurnLimits(atOnce: 1, waiting: Self.atOnce))
    private static let atOnce = 8

    /// Reserves the making of a file, until the result is gone.
    /// - Parameter hasPhotos: whether the originals of the account's photos are in it.
    /// - Throws: ``Rejection``, ``CommandError``; as ``Reads/wait(_:_:)``.
    package func archive(of account: AccountID, hasPhotos: Bool, _ asked: Asked) async throws -> Archive {
        try await reads.wait(Self.plan, asked)
        let turn = try await turns.begin(for: account)
        return Archive(profile: try await accounts.profile(of: account), hasPhotos: hasPhotos, turn: turn)
    }

    /// Makes a file.
    /// - Parameter send: takes the next bytes; no more are made until it returns.
    /// - Throws: ``ReadingTimeout`` after an hour; what the database, the store or `send` throws.
    package func write(
        _ archive: Archive, _ forms: OwnDataForms, _ send: (ByteBuffer) async throws -> Void
    ) async throws {
        let profile = archive.profile
        let file = OwnDataFile(try ZipWriter(), at: now(), until: .now + Self.longest)
        try await file.add("README.txt", Array(OwnDataFile.explanation.utf8), send)
        try await file.add("account.json", forms.account(profile), send)
        try await addFindings(of: profile.id, to: file, forms, send)
        let photos = try await addPhotos(of: profile.id, to: file, forms, send)
        try await file.addList("favourites.json", try await favourites.list(of: profile.id).map(forms.favourite), send)
        try await file.addList("sessions.json", try await sessions.open(of: profile.id).map(forms.session), send)
        try await file.addList("keys.json", try await keys.keys(of: profile.id).map(forms.key), send)
        try await addNotifications(of: profile.id, to: file, forms, send)
        try await addExports(of: profile.id, to: file, forms, send)
        try await addTexts(of: profile.id, to: file, forms, send)
        if archive.hasPhotos {
            for photo in photos { try await addOriginal(photo, to: file, send) }
        }
        try await file.finish(send)
    }

    private func addFindings(
        of account: AccountID, to file: OwnDataFile, _ forms: OwnDataForms, _ send: (ByteBuffer) async throws -> Void
    ) async throws {
        for (name, state) in [("sightings.json", FindingQueries.Page.State.present), ("withdrawn.json", .withdrawn)] {
            try file.beginList(name)
            try await eachPage(of: account, state) { try await file.append($0.map(forms.finding), send) }
            try await file.endList(send)
        }
        try file.begin("sightings.csv")
        try await file.write(FindingTable.header, send)
        for state in [FindingQueries.Page.State.present, .withdrawn] {
            try await eachPage(of: account, state) { try await file.write(FindingTable.rows($0), send) }
        }
    }

    private func eachPage(
        of account: AccountID, _ state: FindingQueries.Page.State, _ body: ([Finding]) async throws -> Void
    ) async throws {
        var page = FindingQueries.Page(limit: Self.page)
        page.state = state
        repeat {
            let found = try await reader.page(of: account, page).slice
            try await body(found.items)
            page.after = found.next
        } while page.after != nil
    }

    /// Photos that are gone with their sighting, because it was redacted or withdrawn for privacy, are left out.
    /// - Returns: the photos, for their originals.
    private func addPhotos(
        of account: AccountID, to file: OwnDataFile, _ forms: OwnDataForms, _ send: (ByteBuffer) async throws -> Void
    ) async throws -> [PhotoRow] {
        var rows: [PhotoRow] = []
        var page = PhotoQueries.Page(limit: Self.page)
        try file.beginList("photos.json")
        repeat {
            let found = try await reader.photos.queries.gallery(of: account, page)
            let details = try await reader.queries.details(
                of: Set(found.items.map(\.sighting)), by: account, withWithdrawn: true)
            let kept = found.items.filter { details[$0.sighting] != nil }
            try await file.append(try await reader.photos.photos(kept, of: details).map(forms.photo), send)
            rows += kept
            page.after = found.next
        } while page.after != nil
        try await file.endList(send)
        return rows
    }

    private func addNotifications(
        of account: AccountID, to file: OwnDataFile, _ forms: OwnDataForms, _ send: (ByteBuffer) async throws -> Void
    ) async throws {
        try file.beginList("notifications.json")
        var page = NotificationService.Request(limit: Self.page)
        repeat {
            let found = try await notifications.page(of: account, page).slice
            try await file.append(found.items.map(forms.notification), send)
            page.after = found.next
        } while page.after != nil
        try await file.endList(send)
    }

    private func addExports(
        of account: AccountID, to file: OwnDataFile, _ forms: OwnDataForms, _ send: (ByteBuffer) async throws -> Void
    ) async throws {
        try file.beginList("exports.json")
        var page = ExportQueries.Page(limit: Self.page)
        repeat {
            let found = try await exports.exports(of: account, page, Asked(of: account)).value
            try await file.append(found.items.map(forms.export), send)
            page.after = found.next
        } while page.after != nil
        try await file.endList(send)
    }

    private func addTexts(
        of account: AccountID, to file: OwnDataFile, _ forms: OwnDataForms, _ send: (ByteBuffer) async throws -> Void
    ) async throws {
        try file.beginList("texts.json")
        if let range = try await texts.range(of: account) {
            for position in stride(from: range.after, to: range.upTo, by: Self.positions) {
                // Nothing may be found, and so nothing written, for long.
                try Task.checkCancellation()
                try file.checkTime()
                let found = try await searches.take(by: account.description) {
                    try await texts.texts(
                        of: account, after: position, upTo: min(position.advanced(by: Self.positions), range.upTo))
                }
                try await file.append(found.map(forms.text), send)
            }
        }
        try await file.endList(send)
    }

    /// A photo whose bytes are gone, because it was deleted meanwhile, or not whole, is left out.
    private func addOriginal(
        _ photo: PhotoRow, to file: OwnDataFile, _ send: (ByteBuffer) async throws -> Void
    ) async throws {
        guard let digest = SHA256Sum(hexadecimal: photo.original.text) else { return }
        let bytes: PhotoBytes
        do {
            bytes = try await photoStore.read(digest, nil)
        } catch PhotoStoreError.notFound {
            return
        }
        guard bytes.size == photo.bytes else { return }
        try file.begin("photos/\(photo.id).\(photo.mediaType.fileExtension)", storing: bytes.size)
        for try await chunk in bytes.chunks { try await file.write(Array(buffer: chunk), send) }
    }
}

extension OwnData {
    init(
        _ ground: Ground, accounts: AccountUseCases, photos: PhotoUseCases, exports: ExportUseCases,
        notifications: NotificationUseCases
    ) {
        self.init(
            reads: ground.reads, accounts: accounts.service,
            reader: FindingReader(ground.pool, catalogue: ground.catalogue), favourites: accounts.favourites,
            notifications: notifications.service, exports: exports.reader,
            texts: WrittenTexts(database: ground.pool),
            sessions: accounts.sessions, keys: accounts.keys, photoStore: photos.settings.store, now: ground.now)
    }
}

extension ImageType {
    /// As in the names of files.
    fileprivate var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .png: "png"
        case .webp: "webp"
        case .heic: "heic"
        }
    }
}
