internal import DequeModule
internal import FoundationEssentials

/// Sessions that have ended while access tokens of theirs may not have run out yet.
struct RevokedSessions: Sendable {
    private var ids: Set<UUID> = []
    /// In the order in which they were revoked, which is the order in which they may be forgotten.
    private var queue: Deque<(id: UUID, until: Date)> = []

    /// How many sessions are remembered.
    var count: Int { ids.count }

    func contains(_ id: UUID) -> Bool {
        !ids.isEmpty && ids.contains(id)
    }

    /// Remembers a session until all its tokens have run out, and forgets those whose time has come.
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
