import Domain
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// The borders of regions, collected when a range is asked for first: most processes that end soon need none.
final class RangeBorders: Sendable {
    private let places: PlaceIndex
    private let found = NIOLockedValueBox<EventLoopFuture<LandBorders>?>(nil)

    init(_ places: PlaceIndex) {
        self.places = places
    }

    /// All who ask wait for one collection, on a thread of its own: it takes long for a thread of requests.
    /// - Throws: an error if the threads have ended.
    var all: LandBorders {
        get async throws {
            let collection = found.withLockedValue { [places] found in
                let collection =
                    found
                    ?? NIOThreadPool.singleton.runIfActive(eventLoop: MultiThreadedEventLoopGroup.singleton.any()) {
                        LandBorders(places)
                    }
                found = collection
                return collection
            }
            return try await collection.get()
        }
    }
}
