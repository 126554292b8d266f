package import Domain
import FoundationEssentials

extension Instant {
    /// The present moment by the system's clock, which the domain itself never reads.
    package static var now: Instant {
        Instant(Date())
    }
}
