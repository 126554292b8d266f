package import FoundationEssentials

/// A session that has not ended, as its owner sees it.
package struct OpenSession: Hashable, Sendable {
    package let id: UUID
    /// The `User-Agent` of the log-in; nil if the client sent none.
    package let device: String?
    package let startedAt: Instant
    /// When it logged in or was refreshed last.
    package let usedAt: Instant
    /// When it ends unless it is refreshed.
    package let expiresAt: Instant

    package init(id: UUID, device: String?, startedAt: Instant, usedAt: Instant, expiresAt: Instant) {
        (self.id, self.device) = (id, device)
        (self.startedAt, self.usedAt, self.expiresAt) = (startedAt, usedAt, expiresAt)
    }
}
