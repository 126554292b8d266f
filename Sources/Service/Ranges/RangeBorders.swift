import Domain
import NIOConcurrencyHelpers

/// The borders of regions, collected when a range is asked for first: most processes that end soon need none.
final class RangeBorders: Sendable {
    private let places: PlaceIndex
    private let found = NIOLockedValueBox<LandBorders?>(nil)

    init(_ places: PlaceIndex) {
        self.places = places
    }

    var all: LandBorders {
        found.withLockedValue { found in
            let borders = found ?? LandBorders(places)
            found = borders
            return borders
        }
    }
}
