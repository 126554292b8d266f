import Domain
import Exchange
import NIOCore

/// A zip file of an account's data while it is made and sent.
final class OwnDataFile {
    private let zip: ZipWriter
    /// The time of all entries, in seconds since 1970.
    private let modified: Int
    private let end: ContinuousClock.Instant
    /// Whether the array that was begun has no items yet.
    private var isListEmpty = true

    /// - Parameter end: the latest moment of the file.
    init(_ zip: ZipWriter, at moment: Instant, until end: ContinuousClock.Instant) {
        (self.zip, self.end) = (zip, end)
        modified = Int(moment.microsecondsSince1970 / 1_000_000)
    }

    func begin(_ name: String, storing size: Int? = nil) throws {
        try zip.begin(name, storing: size, modified: modified)
    }

    /// - Throws: ``ReadingTimeout`` when the file takes too long.
    func checkTime() throws {
        guard ContinuousClock.now < end else { throw ReadingTimeout() }
    }

    /// Adds bytes to the entry, and sends what the file has become.
    func write(_ bytes: [UInt8], _ send: (ByteBuffer) async throws -> Void) async throws {
        try checkTime()
        try zip.write(bytes)
        try await pass(send)
    }

    func add(_ name: String, _ bytes: [UInt8], _ send: (ByteBuffer) async throws -> Void) async throws {
        try begin(name)
        try await write(bytes, send)
    }

    /// Begins an entry that is a JSON array, with one item on each line.
    func beginList(_ name: String) throws {
        try begin(name)
        isListEmpty = true
    }

    /// Adds items to the array.
    func append(_ items: [[UInt8]], _ send: (ByteBuffer) async throws -> Void) async throws {
        guard !items.isEmpty else { return }
        let bytes = Array(items.joined(separator: Self.separator))
        try await write((isListEmpty ? Self.opening : Self.separator) + bytes, send)
        isListEmpty = false
    }

    func addList(_ name: String, _ items: [[UInt8]], _ send: (ByteBuffer) async throws -> Void) async throws {
        try beginList(name)
        try await append(items, send)
        try await endList(send)
    }

    /// Ends the array.
    func endList(_ send: (ByteBuffer) async throws -> Void) async throws {
        try await write((isListEmpty ? Self.opening : []) + Self.closing, send)
    }

    func finish(_ send: (ByteBuffer) async throws -> Void) async throws {
        try zip.finish()
        try await pass(send)
    }

    private func pass(_ send: (ByteBuffer) async throws -> Void) async throws {
        let made = zip.take()
        if !made.isEmpty { try await send(ByteBuffer(bytes: made)) }
    }

    private static let opening = Array("[\n".utf8)
    private static let separator = Array(",\n".utf8)
    private static let closing = Array("\n]\n".utf8)

    /// What the file says about itself.
    static let explanation = """
        The data of your account.

        account.json        your account
        sightings.json      your sightings, with exact places, notes and photos
        withdrawn.json      those that you have withdrawn
        sightings.csv       both, as a table
        photos.json         your photos
        photos/             their originals, if you asked for them; each is named by its id
        favourites.json     the taxa that you marked
        notifications.json  what moderators did, and your targets
        exports.json        the exports that you asked for
        texts.json          all that you typed, also with other people's sightings and photos; former versions, too
        sessions.json       the devices on which you are logged in
        keys.json           your API keys, without their text

        The members of the JSON files are described in the API's documentation, openapi.yaml.

        """
}
