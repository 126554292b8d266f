import Foundation
import NIOConcurrencyHelpers

/// A time that tests set.
final class TestTime: Sendable {
    private let moment: NIOLockedValueBox<Date>

    init(_ start: Date = Date(timeIntervalSince1970: 1_777_636_800)) {
        moment = NIOLockedValueBox(start)
    }

    /// The present time.
    var now: @Sendable () -> Date { { [moment] in moment.withLockedValue { $0 } } }

    func advance(_ seconds: Double) {
        moment.withLockedValue { $0.addTimeInterval(seconds) }
    }
}
