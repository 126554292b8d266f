package import EventLog

/// Why a command failed, other than a rejection by its decider.
package enum CommandError: Error, Sendable {
    /// The key was used before, for another request.
    case keyReused
    /// It does not exist, or belongs to another account.
    case notFound
    /// It has changed since the version that the caller named.
    case stale(actualVersion: Int)
    /// The first outcome of this key has been withdrawn.
    case withdrawn
    /// The first outcome of this key has been erased.
    case gone
    /// The account that asks was erased.
    case callerErased
    /// Another account has the e-mail address.
    case emailTaken
    /// Another photo of the sighting got the ordinal; decide again.
    case ordinalTaken
    /// The queue is full or the database unreachable. The outcome may be unknown; retry with the same key.
    case unavailable(AppendError)
    /// The log rejected the append: a bug; a retry does not help.
    case rejected(AppendError)
}
