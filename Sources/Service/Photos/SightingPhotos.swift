import Domain
import EventLog
import FoundationEssentials
import PhotoStore
import Vault

/// All photos that a sighting ever had, read from the log: a read model may lag.
struct SightingPhotos: Sendable {
    /// The most photos that a sighting may have at a time.
    static let most = 10
    /// The most photos it may ever have had, deleted ones included.
    static let mostEver = 100

    /// By their ordinals.
    private(set) var all: [Stored<PhotoState>?] = []

    /// The ordinal of the next one.
    var next: Int { all.count }

    /// The photos that are not deleted, by their ordinals.
    var present: [Stored<PhotoState>] { all.compactMap { $0 }.filter { $0.state.status != .deleted } }

    /// Whether there is room for another one.
    var isFull: Bool { present.count >= Self.most || next >= Self.mostEver }

    /// The present photo that has these bytes.
    func same(as original: SHA256Sum) -> Stored<PhotoState>? {
        present.first { !$0.state.isRedacted && $0.state.upload?.image.original.text == original.description }
    }

    /// Whether a photo of this length, in bytes, may be one of the present ones.
    /// - Parameter length: nil if unknown; then it counts as a new photo.
    func mayHave(_ length: Int?) -> Bool {
        present.contains { $0.state.upload?.image.bytes == length && length != nil }
    }

    static func read(
        of sighting: SightingID, _ store: StreamStore, _ reservations: Reservations
    ) async throws -> SightingPhotos {
        let ordinals = (0..<mostEver).map { Reservation.photo($0, of: sighting) }
        let holders = try await reservations.holders(of: ordinals)
        var photos = SightingPhotos()
        for ordinal in ordinals {
            guard let holder = holders[ordinal] else { break }
            photos.all.append(try await store.load(holder))
        }
        return photos
    }
}
