import DequeModule
import FoundationEssentials

/// Access tokens whose signature has been checked, so that it need not be checked again.
///
/// Bounded without tracking the order of use: there are two halves, and when the recent one is full it becomes the
/// older one, whose former contents are dropped. A token that is looked up again moves to the recent half.
struct VerifiedTokens: Sendable {
    private struct Entry {
        let principal: Principal
        let expiresAt: Date
    }

    private let half: Int
    private var recent: [String: Entry] = [:]
    private var older: [String: Entry] = [:]

    /// - Parameter capacity: most tokens cached.
    init(capacity: Int) {
        half = max(1, capacity / 2)
    }

    var count: Int { recent.count + older.count }

    /// The principal of a cached token; nil if it is not cached or expired.
    mutating func principal(of token: String, at now: Date) -> Principal? {
        if let entry = recent[token] { return entry.expiresAt > now ? entry.principal : nil }
        guard let entry = older.removeValue(forKey: token), entry.expiresAt > now else { return nil }
        add(entry, for: token)
        return entry.principal
    }

    mutating func remember(_ token: String, of principal: Principal, until expiresAt: Date) {
        older[token] = nil
        add(Entry(principal: principal, expiresAt: expiresAt), for: token)
    }

    mutating func forgetAll() {
        recent = [:]
        older = [:]
    }

    private mutating func add(_ entry: Entry, for token: String) {
        if recent.count >= half {
            older = recent
            recent = [:]
        }
        recent[token] = entry
    }
}

/// Ended sessions whose access tokens may not have expired yet.
struct RevokedSessions: Sendable {
    private var ids: Set<UUID> = []
    /// In the order in which they were revoked, which is the order in which they may be dropped.
    private var queue: Deque<(id: UUID, until: Date)> = []

    var count: Int { ids.count }

    func contains(_ id: UUID) -> Bool {
        !ids.isEmpty && ids.contains(id)
    }

    /// Adds a session, which stays until all its tokens have expired, and drops those that may go.
    mutating func insert(_ id: UUID, until: Date, now: Date) {
        forget(at: now)
        guard ids.insert(id).inserted else { return }
        queue.append((id, until))
    }

    private mutating func forget(at now: Date) {
        while let first = queue.first, first.until <= now {
            queue.removeFirst()
            ids.remove(first.id)
        }
    }
}
