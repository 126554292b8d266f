import NIOConcurrencyHelpers

/// The signal for clients to begin nothing new.
final class StopSign: Sendable {
    private let raised = NIOLockedValueBox(false)

    var isRaised: Bool { raised.withLockedValue { $0 } }

    func raise() {
        raised.withLockedValue { $0 = true }
    }
}
