import Domain
import EventLog
import FoundationEssentials
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
