import Domain
import NIOConcurrencyHelpers
import ReadModels

/// The revisions of exports that this process has looked at, and which of their downloads must end.
final class WatchedRevisions: Sendable {
    typealias Key = CurrentRevision.Key

    /// How long a look at a revision is good for: restrictions act within this time.
    static let validity: Duration = .seconds(300)

    /// A look that found nothing.
    struct Look: Sendable {
        /// The moment up to which the revision is not touched.
        let moment: PublicMoment
        /// When that moment was the present.
        let at: ContinuousClock.Instant
    }

    /// A download that began, for which it is asked before every part.
    struct Download: Sendable {
        fileprivate let key: Key
        fileprivate let ending: Int
    }

    private struct State {
        var looks: [Key: Look] = [:]
        /// How often the downloads of a revision were ended.
        var endings: [Key: Int] = [:]
    }

    private let state = NIOLockedValueBox(State())
    private let now: @Sendable () -> ContinuousClock.Instant

    init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.now = now
    }

    var keys: Set<Key> { state.withLockedValue { Set($0.looks.keys) } }

    func look(at key: Key) -> Look? { state.withLockedValue { $0.looks[key] } }

    /// Notes that a revision is not touched up to a moment.
    /// - Parameter at: when that moment was the present.
    func note(_ key: Key, _ moment: PublicMoment, at time: ContinuousClock.Instant) {
        state.withLockedValue { $0.looks[key] = Look(moment: moment, at: time) }
    }

    /// Whether the last look at a revision is still good.
    func isCurrent(_ key: Key) -> Bool {
        guard let look = look(at: key) else { return false }
        return now() - look.at <= Self.validity
    }

    /// Begins a download.
    func begin(_ key: Key) -> Download {
        Download(key: key, ending: state.withLockedValue { $0.endings[key] ?? 0 })
    }

    /// Whether a download may go on.
    func mayGoOn(_ download: Download) -> Bool {
        isCurrent(download.key) && state.withLockedValue { $0.endings[download.key] ?? 0 } == download.ending
    }

    /// Ends the downloads of a revision that began before.
    func end(_ key: Key) {
        state.withLockedValue { $0.endings[key, default: 0] += 1 }
    }

    /// Ends the downloads of a revision, and forgets it.
    func forget(_ key: Key) {
        state.withLockedValue { state in
            state.looks[key] = nil
            state.endings[key, default: 0] += 1
        }
    }
}
